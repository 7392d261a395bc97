"""Judges the schemas of Sluice with jsonschema and hypothesis-jsonschema.

    python schema_tests.py CLIENT [--documents 60] [--mutations 120] [--seed 1] [--only NAME]

The client prints the schemas of its subjects, decodes documents, and encodes the values. See README.md for the checks.
"""

import argparse
import base64
import collections
import copy
import json
import random
import re
import subprocess
import sys
import warnings

import hypothesis
import hypothesis.strategies as st
import jsonschema
from hypothesis_jsonschema import from_schema

warnings.filterwarnings("ignore")

# Reasons for documents that a schema accepts and a decoder rejects: the name, and patterns for the subject, the kind of the issue and
# its description. A schema cannot state the reason, or validators do not check the keyword that does.
REJECTED = [
    ("a number beyond the range of its type", ".*", "numberOutOfRange", ""),
    ("a string that is not a URL, a time zone, base64, a UUID or a date (formats are not checked)", ".*", "invalidValue",
     "is not a URL|is not a known time zone|is not base64|is not like|ISO 8601|not a date|lacks its time zone"),
    ("JSON in a string that is not that of its type (contentSchema is not checked)", "(Embedded|Either)/.*", ".*", ""),
    ("an integer key beyond the range of its type", "Containers/.*", "invalidKey", "Int"),
    ("a key that is not a UUID (formats are not checked)", "Containers/.*", "invalidKey", "UUID"),
    ("a string that a coercion converts to a number of another type", ".*/(lenient|mjExtension)|Forgiving/.*", "notAnInteger", ""),
    ("a scalar that a coercion converts to a value that its type rejects", ".*/(lenient|mjExtension)", "invalidValue",
     "is not one of its values|not a slug"),
    ("a number of another type in an untagged enum, of which a coercion reads the text", "(Untagged|Shapes).*/(lenient|mjExtension)",
     ".*", "is not an integer|does not fit"),
]

# Reasons for documents that a schema rejects and a decoder accepts: the name, and a pattern for the subject.
ACCEPTED = []


class Client:
    """The client, which answers questions."""

    def __init__(self, path):
        self.path = path

    def schemas(self):
        return json.loads(subprocess.run([self.path, "schemas"], check=True, capture_output=True).stdout)

    def answers(self, questions):
        lines = "".join(json.dumps({"subject": subject, "document": text}) + "\n" for subject, text in questions)
        result = subprocess.run([self.path], input=lines.encode(), check=True, capture_output=True)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert len(answers) == len(questions), "an answer is missing"
        return answers


# --- Random documents

class Generator:
    """Makes random documents of a schema with hypothesis-jsonschema, which reads draft 7 without recursion."""

    def __init__(self, schema):
        self.root = schema
        self.formats = {
            "uuid": st.uuids().map(str),
            "base64": st.binary(max_size=9).map(lambda data: base64.b64encode(data).decode()),
        }

    def strategy(self):
        schema = self.convert(self.root, 3)
        return from_schema(schema, custom_formats=self.formats)

    def convert(self, schema, depth):
        if isinstance(schema, bool):
            return schema
        result = {}
        for key, value in schema.items():
            if key == "$ref":
                if depth == 0:
                    return False
                target = self.root
                for step in value[2:].split("/") if len(value) > 1 else []:
                    target = target[step]
                target = {k: v for k, v in target.items() if k != "$defs"}
                inner = self.convert(target, depth - 1)
                rest = {k: v for k, v in schema.items() if k not in ("$ref", "description", "default", "title")}
                return {"allOf": [inner, self.convert(rest, depth)]} if rest else inner
            if key in ("$schema", "$defs", "title", "description", "default", "unevaluatedProperties", "contentSchema",
                       "contentMediaType"):
                continue
            if key in ("anyOf", "oneOf", "allOf", "prefixItems"):
                value = [self.convert(item, depth) for item in value]
            elif key in ("items", "additionalProperties", "not", "propertyNames"):
                value = self.convert(value, depth)
            elif key == "properties":
                value = {name: self.convert(item, depth) for name, item in value.items()}
            result[key] = value
        if "prefixItems" in result:
            if "items" in result:
                result["additionalItems"] = result.pop("items")
            result["items"] = result.pop("prefixItems")
        if result.pop("contentEncoding", None) == "base64":
            result["format"] = "base64"
        if "contentSchema" in schema:
            name = f"embedded{len(self.formats)}"
            self.formats[name] = from_schema(
                self.convert(schema["contentSchema"], depth), custom_formats=self.formats).map(json.dumps)
            result["format"] = name
        return result

    def documents(self, count, seed):
        documents = []

        @hypothesis.settings(
            max_examples=count, database=None, deadline=None, phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.seed(seed)
        @hypothesis.given(self.strategy())
        def collect(document):
            if is_json(document):
                documents.append(document)

        try:
            collect()
        except hypothesis.errors.Unsatisfiable:
            pass
        return documents


def is_range(error):
    """Whether a number beyond a range is the reason why a document is not valid."""
    if error.validator == "anyOf":
        return any(is_range(inner) for inner in error.context)
    return error.validator in ("minimum", "maximum")


def is_json(document):
    """Whether all numbers are finite."""
    try:
        json.dumps(document, allow_nan=False)
        return True
    except ValueError:
        return False


class Mutator:
    """Changes documents at random places."""

    values = [None, True, False, 0, 1, -1, 7, 300, 1.5, 1.0, 1e30, -1e300, 2**64, "", "x", "7", "true", "red", "circle", "point",
              [], {}, [1], [None], {"a": 1}, {"key": "k"}, {"login": "b"}, "1970-01-01T00:00:00Z", "{\"key\": \"k\"}"]
    keys = ["id", "key", "login", "user", "name", "type", "t", "c", "extra", "unknown", "point", "circle", "kreis"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def places(self, document):
        """The containers of a document, with the keys or indexes of their values."""
        found, stack = [], [document]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                found += [(value, key) for key in value]
                stack += value.values()
            elif isinstance(value, list):
                found += [(value, index) for index in range(len(value))]
                stack += value
        return found

    def mutate(self, document):
        root = [copy.deepcopy(document)]
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            container, key = self.random.choice(self.places(root))
            value = container[key]
            kind = self.random.randrange(6)
            if kind <= 1:
                container[key] = copy.deepcopy(self.random.choice(self.values))
            elif kind == 2 and container is not root:
                del container[key]
            elif kind == 3 and isinstance(value, dict):
                value[self.random.choice(self.keys)] = copy.deepcopy(self.random.choice(self.values))
            elif kind == 3 and isinstance(value, list):
                value.append(copy.deepcopy(self.random.choice(self.values)))
            elif kind == 4 and isinstance(value, (int, float)) and not isinstance(value, bool):
                container[key] = self.random.choice([value + 0.5, -value, value * 1000, str(value)])
            elif kind == 4 and isinstance(value, str):
                container[key] = self.random.choice([value + "x", value[:-1], value.upper()])
            else:
                other, place = self.random.choice(self.places(root))
                container[key] = copy.deepcopy(other[place])
        return root[0]


# --- The rules of structured output

STRICT_KEYWORDS = {"type", "title", "description", "properties", "required", "additionalProperties", "items", "enum", "anyOf",
                   "$ref", "$defs", "pattern", "format"}


def strict_faults(schema, path="$", is_root=True):
    """The violations of the rules for structured output."""
    faults = []
    if is_root and schema.get("type") != "object":
        faults.append(f"{path} is not an object")
    unknown = set(schema) - STRICT_KEYWORDS
    if unknown:
        faults.append(f"{path} has {sorted(unknown)}")
    if "$ref" in schema and len(schema) > 1:
        faults.append(f"{path} has keywords beside $ref")
    types = schema.get("type")
    if types == "object" or isinstance(types, list) and "object" in types:
        if schema.get("additionalProperties") is not False:
            faults.append(f"{path} permits other properties")
        if sorted(schema.get("required", [])) != sorted(schema.get("properties", {})):
            faults.append(f"{path} has properties that are not required")
    for key in ("properties", "$defs"):
        for name, inner in schema.get(key, {}).items():
            faults += strict_faults(inner, f"{path}.{name}", False)
    for inner in schema.get("anyOf", []) + ([schema["items"]] if "items" in schema else []):
        faults += strict_faults(inner, path + "[]", False)
    if not schema:
        faults.append(f"{path} accepts anything")
    return faults


TOOL_ALTERNATIVES = {"anyOf", "oneOf", "allOf", "not", "enum", "$ref"}

# The fields of the type Schema in the interface of Gemini.
GEMINI_KEYWORDS = {"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
                   "propertyOrdering", "items", "anyOf", "minimum", "maximum", "pattern", "minLength", "maxLength", "default"}


def tool_faults(schema):
    """The violations of the rules for the input of a tool."""
    faults = [] if schema.get("type") == "object" else ["$ is not an object"]
    return faults + [f"$ has {keyword}" for keyword in sorted(TOOL_ALTERNATIVES & set(schema))]


def gemini_faults(schema, path="$"):
    """The violations of the rules for a schema of Gemini."""
    faults = [f"{path} has {keyword}" for keyword in sorted(set(schema) - GEMINI_KEYWORDS)]
    if "anyOf" not in schema and not isinstance(schema.get("type"), str):
        faults.append(f"{path} has the type {schema.get('type')}")
    if not all(isinstance(value, str) for value in schema.get("enum", [])):
        faults.append(f"{path} has values that are no strings")
    if schema.get("propertyOrdering", []) != list(schema.get("properties", {})):
        faults.append(f"{path} has another order of properties")
    for name, inner in schema.get("properties", {}).items():
        faults += gemini_faults(inner, f"{path}.{name}")
    for inner in schema.get("anyOf", []) + ([schema["items"]] if "items" in schema else []):
        faults += gemini_faults(inner, path + "[]")
    return faults


# --- The checks

class Judge:
    def __init__(self, client, options):
        self.client = client
        self.options = options
        self.counts = collections.Counter()
        self.reasons = {"rejected": collections.Counter(), "accepted": collections.Counter()}
        self.failures = []

    def fail(self, what, subject, document, detail=""):
        self.failures.append((what, subject, json.dumps(document)[:300], str(detail)[:300]))

    def run(self):
        schemas = self.client.schemas()
        subjects = [name for name in schemas if self.options.only in name]
        for subject in subjects:
            for form in ("decoding", "encoding", "strict", "tool"):
                if schemas[subject].get(form):
                    jsonschema.Draft202012Validator.check_schema(schemas[subject][form])
                    self.counts["schemas"] += 1
            strict = schemas[subject].get("strict")
            if strict:
                self.counts["strict schemas"] += 1
                for fault in strict_faults(strict):
                    self.fail("a strict schema breaks the rules", subject, None, fault)
            for form, rules in (("tool", tool_faults), ("gemini", gemini_faults)):
                schema = schemas[subject].get(form)
                if schema:
                    self.counts[f"{form} schemas"] += 1
                    for fault in rules(schema):
                        self.fail(f"a {form} schema breaks the rules", subject, None, fault)
        documents = []
        for number, subject in enumerate(subjects):
            forms = [("decoding", self.options.documents)]
            for form in ("strict", "tool"):
                if schemas[subject].get(form):
                    forms.append((form, self.options.documents // 4))
            for form, count in forms:
                made = Generator(schemas[subject][form]).documents(count, self.options.seed * 1000 + number)
                if not made:
                    self.fail("no document can be made", subject, None, form)
                documents += [(subject, form, document) for document in made]
        valid = self.judge(schemas, documents)
        mutator = Mutator(self.options.seed)
        mutated = []
        for subject in subjects:
            pool = valid.get(subject) or [{}]
            for _ in range(self.options.mutations):
                document = mutator.mutate(mutator.random.choice(pool))
                if is_json(document):
                    mutated.append((subject, "mutated", document))
        self.judge(schemas, mutated)
        self.report(subjects)

    def judge(self, schemas, documents):
        """Compares the verdict of the schema with that of the decoder. Returns the documents that are accepted."""
        valid = collections.defaultdict(list)
        answers = self.client.answers([(subject, json.dumps(document)) for subject, _, document in documents])
        validators = {}
        for (subject, form, document), answer in zip(documents, answers):
            if subject not in validators:
                validators[subject] = tuple(
                    jsonschema.Draft202012Validator(schemas[subject][key]) for key in ("decoding", "encoding"))
            decoding, encoding = validators[subject]
            is_valid = decoding.is_valid(document)
            is_accepted = answer.get("kind") is None
            self.counts[f"{form} documents"] += 1
            if form != "mutated" and not is_valid:
                ranges = all(is_range(error) for error in decoding.iter_errors(document))
                if form in ("strict", "tool") and ranges:
                    self.counts[f"{form} documents with a number beyond the range of its type"] += 1
                elif form in ("strict", "tool"):
                    self.fail(f"a {form} document is not valid", subject, document)
                # hypothesis-jsonschema does not know all keywords.
                self.counts["generated documents that are not valid"] += 1
            if is_valid and is_accepted:
                self.counts["accepted by both"] += 1
                valid[subject].append(document)
            elif not is_valid and not is_accepted:
                self.counts["rejected by both"] += 1
            elif is_valid:
                self.excuse("rejected", REJECTED, subject, document, answer)
            else:
                self.excuse("accepted", ACCEPTED, subject, document, answer)
            if not is_accepted:
                continue
            if answer.get("encoded") is None:
                self.counts["values that cannot be encoded"] += 1
                if not re.search("notEncodable|cannot be|fallback|number", answer.get("encodingError") or ""):
                    self.fail("not encoded", subject, document, answer.get("encodingError"))
                continue
            self.counts["encoded values"] += 1
            encoded = json.loads(answer["encoded"])
            for error in encoding.iter_errors(encoded):
                self.fail("an encoded value is not valid", subject, encoded, error.message)
                break
        return valid

    def excuse(self, what, reasons, subject, document, answer):
        for reason in reasons:
            if what == "rejected":
                name, pattern, kind, text = reason
                matches = re.fullmatch(pattern, subject) and re.fullmatch(kind, answer["kind"]) \
                    and re.search(text, answer["error"])
            else:
                name, pattern = reason
                matches = re.fullmatch(pattern, subject)
            if matches:
                self.reasons[what][name] += 1
                return
        self.fail(f"wrongly {what}", subject, document, answer.get("error"))

    def report(self, subjects):
        print(f"{len(subjects)} subjects")
        for name, count in self.counts.items():
            print(f"{count:8} {name}")
        for what, other in (("rejected", "accepts"), ("accepted", "rejects")):
            print(f"documents that the schema {other} and the decoder has {what}, by reason:")
            for name, count in self.reasons[what].most_common():
                print(f"{count:8} {name}")
        shown = collections.Counter()
        for what, subject, document, detail in self.failures:
            shown[what, subject] += 1
            if shown[what, subject] <= self.options.show:
                print(f"FAILED {what}: {subject} {document} {detail}")
        if self.failures:
            print(f"{len(self.failures)} failures: {dict(collections.Counter(f[0] for f in self.failures))}")
            sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("client")
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--mutations", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=2)
    options = parser.parse_args()
    Judge(Client(options.client), options).run()


main()

"""Measures libraries of Python that read JSON whose end has not arrived: each prefix of a document is parsed from its start.

The documents and pieces are those of `make floor FLAGS=--live`. Times are of the processor, the shortest of several runs. A document that
would take longer than 20 seconds is cut, which the output says.
"""

import time

import jiter
import partial_json_parser

LONGEST = 20.0


def string(count):
    text = '{"id":1,"title":"A plan","text":"'
    while len(text) < count:
        text += "some words of a long answer "
    return text + '"}'


def element(index):
    return '{"from":"place %d","to":"place %d","minutes":%d}' % (index, index + 1, index % 60)


def elements(count):
    return '{"id":1,"title":"A plan","legs":[' + ",".join(map(element, range(count))) + "]}"


def dictionary(count):
    text, index = '{"id":1,"title":"A plan","legsByName":{', 0
    while len(text) < count:
        text += ("," if index else "") + '"leg %d":' % index + element(index)
        index += 1
    return text + "}}"


def jiter_value(prefix):
    return jiter.from_json(prefix, partial_mode="trailing-strings")


def parser_value(prefix):
    return partial_json_parser.loads(prefix.decode()) if prefix else None


def measure(read, document, piece):
    """Returns the seconds for all prefixes, and the part of the document that was read."""
    start, end, held = time.process_time(), 0, None
    while end < len(document):
        end = min(end + piece, len(document))
        held = read(document[:end])
        if time.process_time() - start > LONGEST:
            break
    del held
    return time.process_time() - start, end / len(document)


def main():
    rows = [
        ("4,000 pieces of one byte", elements(80)[:3950], 1),
        ("200 KB of string, 10 bytes", string(200_000), 10),
        ("1 MB of string, 1 byte", string(1_000_000), 1),
        ("4,000 elements, 20 bytes", elements(4_000), 20),
        ("0.87 MB of dictionary, 20 bytes", dictionary(870_000), 20),
    ]
    print(f"{'':33}{'jiter':>24}{'partial-json-parser':>24}   ms of the processor")
    for name, document, piece in rows:
        cells = []
        for read in (jiter_value, parser_value):
            seconds, part = measure(read, document.encode(), piece)
            if part == 1 and seconds < 1:
                seconds = min([seconds] + [measure(read, document.encode(), piece)[0] for _ in range(3)])
            cells.append(f"{seconds * 1e3:,.1f}" + ("" if part == 1 else f" for {part:.1%}"))
        print(f"{name:33}{cells[0]:>24}{cells[1]:>24}", flush=True)


main()

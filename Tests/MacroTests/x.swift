#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing
#endif

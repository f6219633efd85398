/** What openapi-python-client does not call anything: Python's keywords and built-in names, and some of its own. */
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable
  chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr
  globals hasattr hash help hex input int isinstance issubclass iter len license list locals map max memoryview min next object oct
  open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
  self true false datetime ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
  BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError
  FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError
  InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
  NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError
  ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError`.split(/\s+/),
);

/** A name of the contract as openapi-python-client spells what it makes of it: `taxRate` is `tax_rate`, `class` is `class_`. */
export function pythonIdentifier(name: string): string {
  const text = sanitized(name);
  const words = unreserved(wordsOf(text).join('_').toLowerCase());
  return isIdentifier(words) && !text.startsWith('_') ? words : `field_${words}`;
}

/** The class of a schema: `product-input` is `ProductInput`. */
export function pythonClassName(name: string): string {
  const plain = unreserved(pascalCase(name));
  return isIdentifier(plain) ? plain : unreserved(pascalCase(`field_${plain}`));
}

const pascalCase = (name: string): string =>
  wordsOf(sanitized(name))
    .map((word) => (isUpper(word) ? word : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join('');

const sanitized = (name: string): string => name.replace(/[^\p{L}\p{Nl}\p{Nd}_. \\-]/gu, '');

const wordsOf = (text: string): readonly string[] =>
  (/\p{Lu}/u.test(text) ? text.split(/([A-Z]?[a-z]+)/).join(' ') : text).match(/[^\\. _-]+/g) ?? [];

const isUpper = (word: string): boolean => /\p{Lu}/u.test(word) && !/\p{Ll}/u.test(word);

const isIdentifier = (text: string): boolean => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}_]*$/u.test(text);

const unreserved = (name: string): string => (RESERVED.has(name) ? `${name}_` : name);

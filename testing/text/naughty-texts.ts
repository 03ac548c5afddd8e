/** Texts that software has been known to change, reject or execute. A service must store and find each of them unchanged. */

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))

/** Control characters except NUL, each in the middle of a text. */
const controls = [...range(0x01, 0x1f), '\u007f', ...range(0x80, 0x9f)].map((character) => `a${character}b`)

const spaces = [
  ...[' ', '  ', '\t', '\n', '\r\n', ' a', 'a ', '\ta\t', 'a\r\nb', '\u00a0', '\u1680', '\u2003'],
  ...['\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff', '\ufeffa', 'a\ufeffb'],
]

const invisible = [
  ...['\u200b', 'a\u200bb', 'a\u200cb', 'a\u200db', 'a\u2060b', 'a\u00adb', '\u180e', '\u115f', '\u3164', 'a\ufe0fb'],
  ...['\u{e0001}\u{e0041}', '\ufff9a\ufffab\ufffb', '\ufffc', '\ufffd', '\ufffe', '\uffff', '\u{1fffe}', '\u{10ffff}'],
]

const directions = [
  ...['\u202eabc', 'a\u202eb\u202cc', '\u2066abc\u2069', '\u200fabc', 'مرحبا بالعالم', 'שלום עולם', 'abc אבג 123'],
  ...['ﷺ', 'اَلْعَرَبِيَّةُ', '\u202a\u202b\u202d'],
]

const letters = [
  ...[
    'é',
    'e\u0301',
    '\u00c5',
    '\u212b',
    'A\u030a',
    'ﬁ',
    'fi',
    'ß',
    'ẞ',
    'SS',
    'ı',
    'I',
    'İ',
    'i\u0307',
    'ſ',
    's',
    'Σ',
    'ς',
  ],
  ...['σ'],
  ...[
    'Straße',
    'STRASSE',
    'ñ',
    'n\u0303',
    '漢字',
    '汉字',
    '한글',
    '\u1112\u1161\u11ab',
    'ｆｕｌｌ',
    '①',
    'ⅷ',
    'œ',
    'Ǆ',
  ],
  ...['Z\u0351\u036b\u0343\u036a\u0302a\u0334\u0321lgo', 'กำ', 'क्षि', '𝕿𝖊𝖘𝖙', '𠜎𠜱𠝹', 'ゞ々〱'],
]

/** The first of each pair has a letter of another script that looks the same. */
const homoglyphs = ['раypal', 'paypal', 'Αdmin', 'Admin', 'ɑdmin', 'аdmin', 'gооgle', 'google', 'l1I|', 'O0О']

const emoji = [...['😀', '👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', '🏴\u{e0067}\u{e0062}\u{e007f}', '❤️', '❤', '1️⃣', '🤷🏾‍♀️', 'a😀b😀c']]

const sql = [
  ...["'", "''", '"', '`', '\\', '\\\\', "\\'", '--', ';', "'; DROP TABLE note; --", "1' OR '1'='1", '" OR ""="'],
  ...['/*', '*/'],
  ...['%', '_', '%%', 'a%b', 'a_b', '\\%', '\\_', '$1', '?', ':name', '@p', '$$', 'E\\047', "U&'\\0041'", '::text'],
  ...['{}', '{1,2}'],
  ...['[a-z]', '(', ')', '*', '+', '.*', '^$', '\\d+', '(?i)a', '|', '~', '[[:alpha:]]'],
]

const scripts = [
  ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '&lt;', '&amp;amp;', '&#0;'],
  ...['javascript:alert(1)', '{{7*7}}'],
  ...['<%= 7 %>', '#{7}', '$(touch x)', '`id`', '| ls', '../../etc/passwd', '..\\..', 'file:///etc/passwd'],
  ...['%00', '%2e%2e'],
  ...['=1+1', '+1', '-1', '@SUM(A1)', '=cmd|x', '%s%s%n', '%d', '\\u0041', '\\x41', '\\n', '<![CDATA[x]]>'],
  ...['<?xml version="1.0"?>'],
  ...['Set-Cookie: a=b', 'a\r\nX-Header: b', '?a=b&c=d', '#fragment', 'a&b=c', 'a+b', 'a%20b', 'a/b', '..', '.', '/'],
  ...['//'],
]

const words = [
  ...['null', 'NULL', 'undefined', 'nil', 'None', 'true', 'false', 'TRUE', 'NaN', 'Infinity', '-Infinity'],
  ...['[object Object]'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then', 'length', 'id', 'CON', 'NUL', 'Scunthorpe'],
  ...['Null'],
]

const numbers = [
  ...['0', '-0', '00', '007', '1', '1.0', '1.', '.1', '1e3', '1E+400', '0x10', '0b1', '0o7', '1_000', '1,000', '1/0'],
  ...['٣', '¼'],
  ...['9007199254740993', '-9223372036854775809', '1.7976931348623157e309', '2026-11-17', '24:00', '12e-400'],
]

const json = ['[]', '{"a":1}', '"a"', '\\"', '[', '}', '{"$ref":"#/a"}', '// a', '[[[[', '\\ud800']

const long = [
  'a'.repeat(1000),
  'ab '.repeat(300),
  '😀'.repeat(250),
  'e\u0301'.repeat(400),
  '\u202e'.repeat(300),
  '\n'.repeat(600),
]

/** Each is different from every other. */
export const naughtyTexts: readonly string[] = [
  '',
  ...controls,
  ...spaces,
  ...invisible,
  ...directions,
  ...letters,
  ...homoglyphs,
  ...emoji,
  ...sql,
  ...scripts,
  ...words,
  ...numbers,
  ...json,
  ...long,
]

/** JSON texts of strings that cannot be stored as Unicode text: NUL, and surrogates that are not a pair. */
export const unstorableTexts: readonly string[] = [
  ...['"\\u0000"', '"a\\u0000"', '"\\u0000b"', '"\\ud800"', '"\\udfff"', '"\\ud800a"', '"a\\udc00"'],
  ...['"\\udc00\\ud800"'],
  ...['"\\ud83d\\ud83d\\ude00"', '"\\ud83d\\u0061"'],
]

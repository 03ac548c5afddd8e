/** JSON texts as request bodies: valid ones, invalid ones, and those for which parsers may decide. */

/** Valid strings. */
const strings = [
  ...['""', '" "', '"\\""', '"\\\\"', '"\\/"', '"/"', '"\\b\\f\\n\\r\\t"', '"\\u0041"', '"\\u00e9"', '"\\u2028"'],
  ...['"\u2028"', '"\u2029"'],
  ...['"\\ud83d\\ude00"', '"\\uD83D\\uDE00"', '"😀"', '"\u007f"', '"\\u007F"', '"\\u0012"', '"\\uFFFF"', '"\uffff"'],
  ...['"\\uDBFF\\uDFFF"'],
  ...['"a/*b*/c/*d//e"', '"\\\\u0000"', '"new\\u000Aline"', '"\\uFEFF"', '"\\u0060\\u012a\\u12AB"', '"€𝄞"', '"asd "'],
]

/** Valid texts that are not objects. */
const otherValues = [
  ...['[]', '[ ]', '[[]]', '[""]', '[null]', '[null, 1, "1", {}]', '[1\n]', ' [1]', '[2] ', '[[]   ]', '["a"]'],
  ...['[false]', '[true]'],
  ...['null', 'true', 'false', '0', '-0', '-1', '0e+1', '0e1', '0E1', '1E22', '1e-2', '1.5', '123.456e78', '-0.0'],
  ...['20e1', '1E+2', '-123'],
  ...['123123123123123123123', '-0.000000000000000000000000000000000000000000000000000000000000000000000000000001'],
  ...['\t1\r\n', '[1,null,null,2]'],
  ...strings,
]

/** Valid texts of objects. */
const objects = [
  ...['{}', ' { } ', '\t{\r\n}\n', '{"a":{}}', '{"a":[]}', '{"":0}', '{"a":"b"}', '{"a":"b","c":"d"}'],
  ...['{"a":"b","a":"c"}', '{"a":"b","a":"b"}'],
  ...['{"foo\\u0000bar": 42}', '{"a" : 1 , "b" : [ 1 , 2 ] }', '{"min":-1.0e+28,"max":1.0e+28}', '{"\\u0061":1}'],
  ...['{"a":"\\u041f"}', '{"__proto__":1}'],
]

const brokenNumbers = [
  ...['+1', '01', '-01', '-', '--1', '1.', '.1', '-.1', '1.e1', '0.e1', '1e', '1e+', '1E-', '0e', '1eE2', '1+2'],
  ...['1 000', '0x1', '1a', '-1x'],
  ...['Infinity', '-Infinity', 'NaN', '-NaN', 'Inf', '++1', '2.e3', '1.2a-3', '１', '0.3e', '1_0', '- 1', '0b1'],
  ...['1..2', '-2.'],
]

const brokenStrings = [
  ...['"', '"a', 'a"', "'a'", '"\\', '"\\"', '"\\a"', '"\\x00"', '"\\u"', '"\\u1"', '"\\u00A"', '"\\u00G0"'],
  ...['"\\uD834\\u"', '"\\ud800\\u1"'],
  ...['"\t"', '"\n"', '"a\rb"', '"\u0001"', '"\u001f"', '"\u0000"', '"\\\u{1f300}"', '"\\\\\\"', '""x', '"x"y'],
  ...['\\"a"', '"\\U0041"', '"\\0"'],
]

const brokenStructures = [
  ...['', ' ', '[', ']', '{', '}', '[[', '[]]', '{}}', '{]', '[}', '[1', '[1,', '[1,]', '[,1]', '[,]', '[1,,2]'],
  ...['[1 2]', '[1 true]', '[1:2]'],
  ...['["" 1]', '[a', '[*]', '["a"', '["a",\n4\n,1,', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,"a":1}'],
  ...['{"a" 1}', '{"a"::1}', '{"a":1,,"b":2}'],
  ...['{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{"a":b}', '{"a":"b" "c":1}', '{"a":1 1}', '{"a":1}x', '{"a":1}#'],
  ...['{"a":1}/**/', '{"a":1}//', '{"a":/*x*/1}'],
  ...['/**/{}', '//\n{}', '{}{}', '[]{}', '[][]', '1 2', '{"a":"b"}#', '{[]:1}', '{"x":"y",{}', '{"a":true false}'],
  ...['{:1}', '{"a":1;"b":2}'],
]

const brokenWords = [
  ...['nul', 'tru', 'fals', 'True', 'NULL', 'nulll', 'undefined', 'a', 'å', '<x/>', '=', ';', '*', '@', '&'],
  ...['\u00a0[]', '\u2028{}', '\u2060[]', '[\u000c]', '[\u000b]'],
  ...['\u0000', '{}\u0000', '[\u0000]', '\f{}', '{"a":1}\u00a0', 'a=1', '---\na: 1', '#{}', '`{}`', '{"a":`b`}'],
  ...['(1)', '[1..2]', '...'],
]

/** Bytes that are not UTF-8, around them a string. */
const brokenBytes = [
  [0xff],
  [0xc3],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
]
const quote = Buffer.from('"')

export const validJson: readonly { readonly text: string; readonly isObject: boolean }[] = [
  ...otherValues.map((text) => ({ text, isObject: false })),
  ...objects.map((text) => ({ text, isObject: true })),
]

export const validStrings: readonly string[] = strings

export const invalidJson: readonly (string | Buffer)[] = [
  ...brokenNumbers,
  ...brokenStrings,
  ...brokenStructures,
  ...brokenWords,
  ...[...brokenNumbers, ...brokenStrings].map((text) => `{"title":${text}}`),
  ...brokenBytes.map((bytes) => Buffer.concat([quote, Buffer.from(bytes), quote])),
]

/** Numbers out of range, half surrogates, byte order marks, UTF-16 and deep nesting: a parser may take or reject them. */
export const parserDependentJson: readonly (string | Buffer)[] = [
  ...['1e400', '-1e9999', '123e-10000000', '[0.4e00669999999999999999999999999999999999999]', '"\\ud800"'],
  ...['"\\uDFAA"', '"\\ud800\\ud800\\n"', '"\\uD888\\u1234"'],
  ...['\ufeff{}', '\ufeff', `${'['.repeat(500)}${']'.repeat(500)}`, '['.repeat(100_000)],
  ...[`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, '{"a":1,"a":{"b":[]}}'],
  ...[Buffer.from('{}', 'utf16le'), Buffer.from([0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d]), Buffer.from([0xff, 0xfe])],
]

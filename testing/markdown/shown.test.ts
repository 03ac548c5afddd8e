import { describe, expect, it } from 'vitest'
import { compare } from './shown.ts'

const now = new Date().toISOString()
const guid = '0b1f5c0e-9d0c-4b8e-8f6a-111111111111'
const otherGuid = 'c2b4fdc6-fbcd-4c66-ac05-c2f217ec0000'

const matchingOutputs: [string, string, string, string][] = [
  ['JSON with other line breaks', 'json', '{\n  "id": 1,\n  "list": [1, 2]\n}\n', '{"id":1,"list":[1,2]}'],
  ['a time of this run', 'json', '{ "created": "2026-01-02T03:04:05.678Z" }', `{"created":"${now}"}`],
  ['a GUID', 'text', `id ${guid}\n`, `id ${otherGuid}\n`],
  ['a duration', 'text', '3 records, 0.1 s\n', '3 records, 12.7 s\n'],
  [
    'the omitted rest of an object, and of a list',
    'json',
    '{ "id": 1, "list": [1, …], … }',
    '{"id":1,"list":[1,2],"more":{}}',
  ],
  ['omitted lines', 'text', 'first\n…\nlast\n', 'first\nsecond\nthird\nlast\n'],
  ['omitted lines at the end', 'text', 'first\n…\n', 'first\nsecond\n'],
  ['a part of a line', 'text', 'SHA-256 …\n', 'SHA-256 04fe098f72f1\n'],
  [
    'a response with some of its headers',
    'http',
    'HTTP/1.1 201 Created\nLocation: /v1/ticket/1\n\n{ "id": 1 }\n',
    'HTTP/1.1 201 Created\r\ndate: today\r\nlocation: /v1/ticket/1\r\n\r\n{"id":1}',
  ],
]

const differentOutputs: [string, string, string, string][] = [
  ['another value', 'json', '{ "id": 1 }', '{"id":2}'],
  ['one more property', 'json', '{ "id": 1 }', '{"id":1,"name":"a"}'],
  ['another order of properties', 'json', '{ "id": 1, "name": "a" }', '{"name":"a","id":1}'],
  ['one more element', 'json', '[1]', '[1,2]'],
  ['a time that the page itself sets', 'json', '{ "due": "2026-01-02T00:00:00Z" }', '{"due":"2025-01-02T00:00:00Z"}'],
  ['a date that the page itself sets', 'json', '{ "due": "2999-01-01" }', '{"due":"2998-01-01"}'],
  ['output that is not JSON', 'json', '{ "id": 1 }', 'curl: (7) Failed to connect'],
  ['one more line', 'text', 'first\n', 'first\nsecond\n'],
  ['one line less', 'text', 'first\nsecond\n', 'first\n'],
  ['a missing line after omitted lines', 'text', 'first\n…\nlast\n', 'first\nsecond\n'],
  ['another status', 'http', 'HTTP/1.1 201 Created\n', 'HTTP/1.1 200 OK\r\n\r\n{}'],
  ['a missing header', 'http', 'HTTP/1.1 200 OK\netag: "1"\n', 'HTTP/1.1 200 OK\r\n\r\n{}'],
  ['another body', 'http', 'HTTP/1.1 200 OK\n\n{ "id": 1 }\n', 'HTTP/1.1 200 OK\r\n\r\n{"id":2}'],
]

describe('the output of a page', () => {
  it.each(matchingOutputs)('matches %s', (_, language, pageOutput, actual) => {
    compare(language, pageOutput, actual)
  })

  it.each(differentOutputs)('does not match %s', (_, language, pageOutput, actual) => {
    expect(() => compare(language, pageOutput, actual)).toThrow(/^The output (differs|is not)/)
  })
})

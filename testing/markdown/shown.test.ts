import { describe, expect, it } from 'vitest'
import { compare } from './shown.ts'

const now = new Date().toISOString()
const guid = '0b1f5c0e-9d0c-4b8e-8f6a-111111111111'
const other = 'c2b4fdc6-fbcd-4c66-ac05-c2f217ec0000'

const same: [string, string, string, string][] = [
  ['JSON, however it is broken into lines', 'json', '{\n  "id": 1,\n  "list": [1, 2]\n}\n', '{"id":1,"list":[1,2]}'],
  ['a moment of this run', 'json', '{ "created": "2026-01-02T03:04:05.678Z" }', `{"created":"${now}"}`],
  ['a GUID', 'text', `id ${guid}\n`, `id ${other}\n`],
  ['a duration', 'text', '3 records, 0.1 s\n', '3 records, 12.7 s\n'],
  ['the rest of an object, and of a list', 'json', '{ "id": 1, "list": [1, …], … }', '{"id":1,"list":[1,2],"more":{}}'],
  ['lines that are left out', 'text', 'first\n…\nlast\n', 'first\nsecond\nthird\nlast\n'],
  ['the rest of the lines', 'text', 'first\n…\n', 'first\nsecond\n'],
  ['a part of a line', 'text', 'SHA-256 …\n', 'SHA-256 04fe098f72f1\n'],
  [
    'an answer with the headers that matter',
    'http',
    'HTTP/1.1 201 Created\nLocation: /v1/ticket/1\n\n{ "id": 1 }\n',
    'HTTP/1.1 201 Created\r\ndate: today\r\nlocation: /v1/ticket/1\r\n\r\n{"id":1}',
  ],
]

const different: [string, string, string, string][] = [
  ['another value', 'json', '{ "id": 1 }', '{"id":2}'],
  ['one more property', 'json', '{ "id": 1 }', '{"id":1,"name":"a"}'],
  ['another order of properties', 'json', '{ "id": 1, "name": "a" }', '{"name":"a","id":1}'],
  ['one more element', 'json', '[1]', '[1,2]'],
  ['a moment that the page itself gave', 'json', '{ "due": "2026-01-02T00:00:00Z" }', '{"due":"2025-01-02T00:00:00Z"}'],
  ['a day that the page itself gave', 'json', '{ "due": "2999-01-01" }', '{"due":"2998-01-01"}'],
  ['what is no JSON', 'json', '{ "id": 1 }', 'curl: (7) Failed to connect'],
  ['one more line', 'text', 'first\n', 'first\nsecond\n'],
  ['one line less', 'text', 'first\nsecond\n', 'first\n'],
  ['what comes after lines that are left out', 'text', 'first\n…\nlast\n', 'first\nsecond\n'],
  ['another status', 'http', 'HTTP/1.1 201 Created\n', 'HTTP/1.1 200 OK\r\n\r\n{}'],
  ['a header that is not there', 'http', 'HTTP/1.1 200 OK\netag: "1"\n', 'HTTP/1.1 200 OK\r\n\r\n{}'],
  ['another body', 'http', 'HTTP/1.1 200 OK\n\n{ "id": 1 }\n', 'HTTP/1.1 200 OK\r\n\r\n{"id":2}'],
]

describe('what is shown', () => {
  it.each(same)('is what came: %s', (_, language, shown, came) => {
    compare(language, shown, came)
  })

  it.each(different)('is not what came: %s', (_, language, shown, came) => {
    expect(() => compare(language, shown, came)).toThrow('What came is')
  })
})

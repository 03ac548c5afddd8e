// Invalid bodies: each causes a problem, and changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newUser, shapes, type User } from './record.ts'
import { expectProblem, expectSuggestion, openOnce, type TestResponse } from './service.ts'
import { expectUnchanged } from './unchanged.ts'

const service = openOnce(5)
const { get, post, put, patch, send } = service
const json = { 'content-type': 'application/json' }

/** Every request with a user as its body. */
const writes = [
  ['POST', '/user'],
  ['PUT', '/user/1'],
  ['PATCH', '/user/1'],
] as const

/** Sends the text as the body of each of these requests. */
const sendAll = (payload: string | Buffer, headers: Record<string, string> = json): Promise<TestResponse<unknown>[]> =>
  expectUnchanged(service, () => Promise.all(writes.map(([method, url]) => send(method, url, payload, headers))))

describe('a body that is not JSON', () => {
  it.each([
    '{',
    '}',
    '{"firstName":}',
    '{"firstName":"a",}',
    "{'firstName':'a'}",
    '{firstName:"a"}',
    '{"firstName":"a"} x',
    '{"firstName":"a"}{"firstName":"b"}',
    '{"firstName":"a\nb"}',
    '{"firstName":"\\x41"}',
    '{"firstName":01}',
    '{"firstName":NaN}',
    '{"firstName":Infinity}',
    '{"firstName":undefined}',
    '// a comment\n{}',
    'firstName=a',
    '<user/>',
    ' ',
    'nul',
    '\u0000{}',
  ])('bad body: %j is malformed', async (text) => {
    for (const response of await sendAll(text)) expectProblem(response, 'malformed-json')
  })

  it('bad body: an empty body is rejected', async () => {
    for (const response of await sendAll('')) expectProblem(response, 'malformed-json')
    for (const [method, url] of writes) expect([400, 415]).toContain((await send(method, url)).status)
  })

  it('bad body: bytes that are not UTF-8 are rejected, never replaced', async () => {
    const before = Buffer.from('{"firstName":"a')
    const after = Buffer.from('b","lastName":"L","email":"utf8@example.com","department":1}')
    for (const bytes of [
      [0xff],
      [0xc3],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0x80],
      [0xe2, 0x82],
    ]) {
      const responses = await sendAll(Buffer.concat([before, Buffer.from(bytes), after]))
      for (const response of responses) expectProblem(response, 'malformed-json')
    }
  })

  it('bad body: a byte order mark does not hide the body', async () => {
    const responses = await sendAll('\ufeff{"nonsense":1}')
    for (const response of responses)
      expect(['malformed-json', 'invalid-body']).toContain((response.body as { code: string }).code)
  })

  it('bad body: UTF-16 is malformed', async () => {
    for (const response of await sendAll(Buffer.from('{"phone":"a"}', 'utf16le')))
      expectProblem(response, 'malformed-json')
  })

  it.each(['[', '{"a":', '[{"a":'])('bad body: 100,000 nested %s are rejected', async (level) => {
    const deep = level.repeat(100_000)
    for (const response of await sendAll(deep)) expect(response.status).toBe(400)
    const closing = level.replaceAll('{"a":', '}').replaceAll('[', ']').split('').reverse().join('')
    const closed = `${deep}1${closing.repeat(100_000)}`
    for (const response of await sendAll(closed)) expect(response.status).toBe(400)
    const inside = `{"firstName":${deep}1${closing.repeat(100_000)}}`
    for (const response of await sendAll(inside)) expect(response.status).toBe(400)
  })
})

describe('many values', () => {
  it('bad body: more values than any record has are rejected before they are parsed', async () => {
    const manyValues = Array.from({ length: 60_000 }, (_, index) => `"p${index}":1`).join()
    for (const body of [`{${manyValues}}`, `{"firstName":[${'1,'.repeat(60_000)}1]}`, `{${manyValues}`])
      for (const response of await sendAll(body)) expectProblem(response, 'invalid-body', 'more than 10000 values')
  })

  it('bad body: brackets inside a string are not counted', async () => {
    const phone = '{["\\,'.repeat(20_000)
    const { status, body } = await patch<User>('/user/3', { phone })
    expect([status, body.phone]).toEqual([200, phone])
  })
})

describe('a body that is not an object', () => {
  it.each([
    'null',
    'true',
    '1',
    '-0',
    '1e400',
    '"text"',
    '[]',
    '[{}]',
    '[{"firstName":"a"}]',
    '[["firstName","a"]]',
    '""',
  ])('bad body: %s is rejected', async (text) => {
    for (const response of await sendAll(text)) expectProblem(response, 'invalid-body', 'object')
  })
})

describe('size', () => {
  const limit = 1024 * 1024

  it('bad body: a body over 1 MiB is 413 for every write', async () => {
    const text = JSON.stringify({ phone: 'x'.repeat(limit) })
    for (const response of await sendAll(text)) expectProblem(response, 'body-too-large', `${limit}`)
  })

  it('bad body: a body of exactly 1 MiB is accepted', async () => {
    const { phone: before } = (await get<User>('/user/5')).body
    const phone = 'x'.repeat(limit - '{"phone":""}'.length)
    const response = await patch<User>('/user/5', { phone })
    expect([response.status, response.body.phone === phone]).toEqual([200, true])
    expectProblem(await patch('/user/5', { phone: `${phone}x` }), 'body-too-large')
    expect((await get<User>('/user/5')).body.phone.length).toBe(phone.length)
    await patch('/user/5', { phone: before })
  })

  it('bad body: the limit counts bytes, not characters', async () => {
    for (const response of await sendAll(JSON.stringify({ phone: 'é'.repeat(limit / 2) })))
      expectProblem(response, 'body-too-large')
  })
})

const values: Record<string, unknown> = {
  'a string': 'x',
  'an empty string': '',
  'a digit in a string': '1',
  'an integer': 7,
  zero: 0,
  'a negative integer': -1,
  'a fraction': 1.5,
  'a huge number': 1e300,
  'an integer that is not safe': 2 ** 53,
  true: true,
  false: false,
  null: null,
  'an array': [],
  'an array with a value': ['x'],
  'an array with an integer': [1],
  'an object': {},
  'an object with an id': { id: 1 },
}

/** For each kind of field: a request with such a field, and its valid values. */
const kinds = [
  ['text', 'PATCH', '/user/1', 'lastName', ['a string', 'an empty string', 'a digit in a string']],
  [
    'nullable text',
    'PATCH',
    '/v1/user/1',
    'avatarColor',
    ['a string', 'an empty string', 'a digit in a string', 'null'],
  ],
  ['non-empty string', 'PATCH', '/user/1/preference/1', 'type', ['a string', 'a digit in a string']],
  ['e-mail', 'PATCH', '/user/1', 'email', []],
  ['choice', 'PATCH', '/user/1', 'status', []],
  ['boolean', 'PATCH', '/department/1', 'retired', ['true', 'false']],
  ['nullable boolean', 'PATCH', '/user/1/preference/1', 'enabled', ['true', 'false', 'null']],
  ['guid', 'PATCH', '/v1/application/1', 'guid', []],
  ['reference', 'PATCH', '/user/1', 'department', ['an integer']],
  ['nullable reference', 'PATCH', '/user/1', 'supervisor', ['an integer', 'null']],
  ['reference in a flat write', 'PATCH', '/v1/role/1', 'applicationRef', ['an integer']],
] as const

describe.each(kinds)('a field of type %s', (_kind, _method, url, name, validValues: readonly string[]) => {
  const invalidValues = Object.entries(values).filter(([name]) => !validValues.includes(name))
  it.each(invalidValues)('bad body: rejects %s', async (_what, value) => {
    const responses = await expectUnchanged(service, async () => {
      const { body: record } = await get<object>(url)
      return [await patch(url, { [name]: value }), await put(url, { ...record, [name]: value })]
    })
    for (const response of responses) {
      const { errors = [{ pointer: `/${name}`, detail: '' }] } = expectProblem(response, 'invalid-body', name)
      expect(errors.map(({ pointer }) => pointer)).toEqual([`/${name}`])
    }
  })
})

describe('formats', () => {
  it.each([
    '',
    'x',
    '@',
    'a@',
    '@example.com',
    'a b@example.com',
    'a@b@example.com',
    'a@exa mple.com',
    'a@-example.com',
    'a@example..com',
    'a@example.com\n',
    ' a@example.com',
    '<a@example.com>',
    `${'a'.repeat(250)}@example.com`,
    'zoë@example.com',
  ])('bad body: %j is not an e-mail address', async (email) => {
    for (const response of await expectUnchanged(service, async () => [
      await post('/user', { ...newUser(), email }),
      await patch('/user/1', { email }),
    ])) {
      expectProblem(response, 'invalid-body', 'email')
    }
  })

  it.each([
    '',
    'x',
    'b52d1b4d-ce9e-4723-89a3-d71a708d4ed',
    'b52d1b4dce9e472389a3d71a708d4ed6',
    '{b52d1b4d-ce9e-4723-89a3-d71a708d4ed6}',
    'g52d1b4d-ce9e-4723-89a3-d71a708d4ed6',
  ])('bad body: %j is not a GUID', async (guid) => {
    const response = await expectUnchanged(service, () => patch('/v1/application/1', { guid }))
    expectProblem(response, 'invalid-body', 'guid')
  })

  it.each([
    ['U+0000', '\u0000'],
    ['U+0000 amid text', 'a\u0000b'],
    ['one half of a surrogate pair', '\ud83d'],
    ['the other half', 'a\udc69b'],
    ['a surrogate pair in the wrong order', '\udc69\ud83d'],
  ])('bad body: a string with %s is rejected', async (_what, text) => {
    const escaped = JSON.stringify(text)
    for (const [url, name] of [
      ['/user/1', 'firstName'],
      ['/user/1', 'email'],
      ['/v1/user/1', 'username'],
      ['/v1/user/1', 'avatarColor'],
      ['/user/1/preference/1', 'type'],
      ['/department/1', 'name'],
      ['/v1/role/1', 'description'],
    ] as const) {
      const response = await expectUnchanged(service, () => send('PATCH', url, `{"${name}":${escaped}}`, json))
      expectProblem(response, 'invalid-body', name)
    }
  })

  it('bad body: noncharacters and private characters are accepted', async () => {
    for (const firstName of [
      '\ufffe\uffff',
      '\u{10ffff}',
      '\ufffd',
      '\u0001\u001f\u007f',
      '\u2028\u2029',
      '\ufeff',
      '\u202e',
    ]) {
      expect((await patch<User>('/user/5', { firstName })).body.firstName).toBe(firstName)
      expect((await get<User>('/user/5')).body.firstName).toBe(firstName)
    }
  })
})

describe('names', () => {
  const hostile = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    'valueOf',
    'toJSON',
    '',
    ' ',
    'id ',
    '$where',
    'a'.repeat(10_000),
    '日本',
  ]
  it.each(hostile)('bad body: the unknown property %j is rejected', async (name) => {
    for (const value of ['1', '{"isAdmin":true}', '{"__proto__":{"isAdmin":true}}', 'null', '[]']) {
      const text = `{"lastName":"x",${JSON.stringify(name)}:${value}}`
      const response = await expectUnchanged(service, () => send('PATCH', '/user/1', text, json))
      expectProblem(response, 'invalid-body', name.slice(0, 20))
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
    }
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'bad body: the property name %s is rejected at any depth, for every write',
    async (name) => {
      for (const text of [
        `{"${name}":{}}`,
        `{"firstName":{"${name}":{"x":1}}}`,
        `[{"${name}":{}}]`,
        `{"${name}":"x","${name}":"y"}`,
        `{"\\u005f\\u005fproto__":{"x":1}}`,
      ]) {
        for (const response of await sendAll(text)) expectProblem(response, 'invalid-body')
      }
    },
  )

  it('bad body: the value __proto__ is accepted', async () => {
    expect((await patch<User>('/user/5', { firstName: '__proto__', lastName: 'constructor' })).body).toMatchObject({
      firstName: '__proto__',
      lastName: 'constructor',
    })
  })

  it('bad body: the last of two equal keys is used', async () => {
    const response = await send<User>('PATCH', '/user/5', '{"phone":"1","phone":"2"}', json)
    expect([response.status, response.body.phone]).toEqual([200, '2'])
    expectProblem(await send('PATCH', '/user/5', '{"phone":"1","phone":2}', json), 'invalid-body', 'phone')
  })

  it('bad body: a misspelled property gets a suggestion', async () => {
    for (const [misspelt, suggestion] of [
      ['firstname', 'firstName'],
      ['lastNme', 'lastName'],
      ['Email', 'email'],
      ['departmnt', 'department'],
    ] as const) {
      const problem = expectProblem(await patch('/user/1', { [misspelt]: 'x' }), 'invalid-body', misspelt)
      expectSuggestion(problem, suggestion)
    }
  })
})

describe('random bodies', () => {
  it('bad body: the response to any JSON is the record or a problem', async () => {
    const key = fc.oneof(fc.constantFrom(...shapes.user, '__proto__', 'constructor'), fc.string())
    const record = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), record), async (body) => {
        const before = (await get('/user/2')).body
        const { status } = await send('PATCH', '/user/2', JSON.stringify(body), json)
        expect([200, 400, 409, 422]).toContain(status)
        if (status !== 200) expect((await get('/user/2')).body).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })

  it('bad body: the response to any bytes is a problem or the record', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const { status } = await send('POST', '/user', Buffer.from(bytes), json)
        expect(status).toBe(400)
      }),
      { numRuns: 200 },
    )
  })
})

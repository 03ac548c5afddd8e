// Bodies that do not fit: each has its problem, and changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newUser, shapes, type User } from './record.ts'
import { type Answer, expectProblem, expectSuggestion, openedOnce } from './service.ts'
import { changingNothing } from './unchanged.ts'

const service = openedOnce(5)
const { get, post, put, patch, send } = service
const json = { 'content-type': 'application/json' }

/** Every request that takes a body of a user. */
const writes = [
  ['POST', '/user'],
  ['PUT', '/user/1'],
  ['PATCH', '/user/1'],
] as const

/** Sends the text to each of them. */
const sendAll = (payload: string | Buffer, headers: Record<string, string> = json): Promise<Answer<unknown>[]> =>
  changingNothing(service, () => Promise.all(writes.map(([method, url]) => send(method, url, payload, headers))))

describe('what is no JSON', () => {
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
    for (const answer of await sendAll(text)) expectProblem(answer, 'malformed-json')
  })

  it('bad body: an empty body is refused', async () => {
    for (const answer of await sendAll('')) expectProblem(answer, 'malformed-json')
    for (const [method, url] of writes) expect([400, 415]).toContain((await send(method, url)).status)
  })

  it('bad body: bytes that are no UTF-8 are malformed, and never replaced', async () => {
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
      const answers = await sendAll(Buffer.concat([before, Buffer.from(bytes), after]))
      for (const answer of answers) expectProblem(answer, 'malformed-json')
    }
  })

  it('bad body: a byte order mark does not hide what follows', async () => {
    const answers = await sendAll('\ufeff{"nonsense":1}')
    for (const answer of answers)
      expect(['malformed-json', 'invalid-body']).toContain((answer.body as { code: string }).code)
  })

  it('bad body: UTF-16 is malformed', async () => {
    for (const answer of await sendAll(Buffer.from('{"phone":"a"}', 'utf16le'))) expectProblem(answer, 'malformed-json')
  })

  it.each(['[', '{"a":', '[{"a":'])('bad body: 100,000 levels of %s are refused', async (level) => {
    const deep = level.repeat(100_000)
    for (const answer of await sendAll(deep)) expect(answer.status).toBe(400)
    const closing = level.replaceAll('{"a":', '}').replaceAll('[', ']').split('').reverse().join('')
    const closed = `${deep}1${closing.repeat(100_000)}`
    for (const answer of await sendAll(closed)) expect(answer.status).toBe(400)
    const inside = `{"firstName":${deep}1${closing.repeat(100_000)}}`
    for (const answer of await sendAll(inside)) expect(answer.status).toBe(400)
  })
})

describe('many values', () => {
  it('bad body: more values than any record has are refused before they are read', async () => {
    const many = Array.from({ length: 60_000 }, (_, at) => `"p${at}":1`).join()
    for (const body of [`{${many}}`, `{"firstName":[${'1,'.repeat(60_000)}1]}`, `{${many}`])
      for (const answer of await sendAll(body)) expectProblem(answer, 'invalid-body', 'more than 10000 values')
  })

  it('bad body: what stands in a text is not counted', async () => {
    const phone = '{["\\,'.repeat(20_000)
    const { status, body } = await patch<User>('/user/3', { phone })
    expect([status, body.phone]).toEqual([200, phone])
  })
})

describe('what is no object', () => {
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
  ])('bad body: %s is refused', async (text) => {
    for (const answer of await sendAll(text)) expectProblem(answer, 'invalid-body', 'object')
  })
})

describe('size', () => {
  const limit = 1024 * 1024

  it('bad body: a body over 1 MiB is 413, on every write', async () => {
    const text = JSON.stringify({ phone: 'x'.repeat(limit) })
    for (const answer of await sendAll(text)) expectProblem(answer, 'body-too-large', `${limit}`)
  })

  it('bad body: a body of exactly 1 MiB is taken', async () => {
    const { phone: before } = (await get<User>('/user/5')).body
    const phone = 'x'.repeat(limit - '{"phone":""}'.length)
    const answer = await patch<User>('/user/5', { phone })
    expect([answer.status, answer.body.phone === phone]).toEqual([200, true])
    expectProblem(await patch('/user/5', { phone: `${phone}x` }), 'body-too-large')
    expect((await get<User>('/user/5')).body.phone.length).toBe(phone.length)
    await patch('/user/5', { phone: before })
  })

  it('bad body: what counts is bytes, not characters', async () => {
    for (const answer of await sendAll(JSON.stringify({ phone: 'é'.repeat(limit / 2) })))
      expectProblem(answer, 'body-too-large')
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
  'an integer beyond the safe ones': 2 ** 53,
  true: true,
  false: false,
  null: null,
  'an array': [],
  'an array with a value': ['x'],
  'an array with an integer': [1],
  'an object': {},
  'an object with an id': { id: 1 },
}

/** By kind of field: where one is, and which of the values fit. */
const kinds = [
  ['text', 'PATCH', '/user/1', 'lastName', ['a string', 'an empty string', 'a digit in a string']],
  [
    'text that may be null',
    'PATCH',
    '/v1/user/1',
    'avatarColor',
    ['a string', 'an empty string', 'a digit in a string', 'null'],
  ],
  ['text of at least one character', 'PATCH', '/user/1/preference/1', 'type', ['a string', 'a digit in a string']],
  ['e-mail', 'PATCH', '/user/1', 'email', []],
  ['choice', 'PATCH', '/user/1', 'status', []],
  ['boolean', 'PATCH', '/department/1', 'retired', ['true', 'false']],
  ['flag that may be null', 'PATCH', '/user/1/preference/1', 'enabled', ['true', 'false', 'null']],
  ['guid', 'PATCH', '/v1/application/1', 'guid', []],
  ['reference', 'PATCH', '/user/1', 'department', ['an integer']],
  ['reference that may be null', 'PATCH', '/user/1', 'supervisor', ['an integer', 'null']],
  ['reference in the flat form', 'PATCH', '/v1/role/1', 'applicationRef', ['an integer']],
] as const

describe.each(kinds)('a %s', (_kind, _method, url, name, fitting: readonly string[]) => {
  const unfit = Object.entries(values).filter(([what]) => !fitting.includes(what))
  it.each(unfit)('bad body: is not %s', async (_what, value) => {
    const answers = await changingNothing(service, async () => {
      const { body: read } = await get<object>(url)
      return [await patch(url, { [name]: value }), await put(url, { ...read, [name]: value })]
    })
    for (const answer of answers) {
      const { errors = [{ pointer: `/${name}`, detail: '' }] } = expectProblem(answer, 'invalid-body', name)
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
  ])('bad body: %j is no e-mail address', async (email) => {
    for (const answer of await changingNothing(service, async () => [
      await post('/user', { ...newUser(), email }),
      await patch('/user/1', { email }),
    ])) {
      expectProblem(answer, 'invalid-body', 'email')
    }
  })

  it.each([
    '',
    'x',
    'b52d1b4d-ce9e-4723-89a3-d71a708d4ed',
    'b52d1b4dce9e472389a3d71a708d4ed6',
    '{b52d1b4d-ce9e-4723-89a3-d71a708d4ed6}',
    'g52d1b4d-ce9e-4723-89a3-d71a708d4ed6',
  ])('bad body: %j is no guid', async (guid) => {
    const answer = await changingNothing(service, () => patch('/v1/application/1', { guid }))
    expectProblem(answer, 'invalid-body', 'guid')
  })

  it.each([
    ['U+0000', '\u0000'],
    ['U+0000 amid text', 'a\u0000b'],
    ['half a surrogate pair', '\ud83d'],
    ['the other half', 'a\udc69b'],
    ['a pair the wrong way round', '\udc69\ud83d'],
  ])('bad body: no string holds %s', async (_what, text) => {
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
      const answer = await changingNothing(service, () => send('PATCH', url, `{"${name}":${escaped}}`, json))
      expectProblem(answer, 'invalid-body', name)
    }
  })

  it('bad body: noncharacters and private characters are text like any other', async () => {
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
  it.each(hostile)('bad body: there is no property %j', async (name) => {
    for (const value of ['1', '{"isAdmin":true}', '{"__proto__":{"isAdmin":true}}', 'null', '[]']) {
      const text = `{"lastName":"x",${JSON.stringify(name)}:${value}}`
      const answer = await changingNothing(service, () => send('PATCH', '/user/1', text, json))
      expectProblem(answer, 'invalid-body', name.slice(0, 20))
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
    }
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'bad body: %s is refused at any depth, on every write',
    async (name) => {
      for (const text of [
        `{"${name}":{}}`,
        `{"firstName":{"${name}":{"x":1}}}`,
        `[{"${name}":{}}]`,
        `{"${name}":"x","${name}":"y"}`,
        `{"\\u005f\\u005fproto__":{"x":1}}`,
      ]) {
        for (const answer of await sendAll(text)) expectProblem(answer, 'invalid-body')
      }
    },
  )

  it('bad body: a value that is called __proto__ is a value like any other', async () => {
    expect((await patch<User>('/user/5', { firstName: '__proto__', lastName: 'constructor' })).body).toMatchObject({
      firstName: '__proto__',
      lastName: 'constructor',
    })
  })

  it('bad body: of a key that stands twice the last counts', async () => {
    const answer = await send<User>('PATCH', '/user/5', '{"phone":"1","phone":"2"}', json)
    expect([answer.status, answer.body.phone]).toEqual([200, '2'])
    expectProblem(await send('PATCH', '/user/5', '{"phone":"1","phone":2}', json), 'invalid-body', 'phone')
  })

  it('bad body: a misspelt property gets a suggestion', async () => {
    for (const [wrong, right] of [
      ['firstname', 'firstName'],
      ['lastNme', 'lastName'],
      ['Email', 'email'],
      ['departmnt', 'department'],
    ] as const) {
      const problem = expectProblem(await patch('/user/1', { [wrong]: 'x' }), 'invalid-body', wrong)
      expectSuggestion(problem, right)
    }
  })
})

describe('anything', () => {
  it('bad body: whatever JSON is sent, the answer is the record or a problem', async () => {
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

  it('bad body: whatever bytes are sent, the answer is a problem or the record', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const { status } = await send('POST', '/user', Buffer.from(bytes), json)
        expect(status).toBe(400)
      }),
      { numRuns: 200 },
    )
  })
})

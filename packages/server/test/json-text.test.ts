// JSON texts of every kind as request bodies: valid ones are read, invalid ones are rejected, and none causes another error.
import { identity, noun, resource, text } from '@nomen/core'
import { inject } from '@nomen/testing/inject'
import { invalidJson, parserDependentJson, validJson, validStrings } from '@nomen/testing/text/json-texts'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

const writes = [
  ['POST', '/note'],
  ['PUT', '/note/1'],
  ['PATCH', '/note/1'],
] as const

async function opened(): Promise<TestService> {
  const app = await openService(notes)
  expect((await app.send('POST', '/note', { title: 'first' })).status).toBe(201)
  return app
}

/** The status and the problem code of each write with this body. */
async function responses({ app }: TestService, payload: string | Buffer): Promise<(readonly [number, string])[]> {
  const headers = { 'content-type': 'application/json' }
  return Promise.all(
    writes.map(async ([method, url]) => {
      const response = await inject(app, { method, url, headers, payload })
      return [response.statusCode, response.statusCode < 300 ? '' : response.json().code] as const
    }),
  )
}

const shown = (payload: string | Buffer) => `${payload.toString('utf8').slice(0, 80)}`

it('valid JSON is never malformed, and only an object can be a record', async () => {
  const app = await opened()
  for (const { text, isObject } of validJson) {
    for (const [status, code] of await responses(app, text)) {
      // An empty object changes nothing. Others have unknown properties.
      const isUnchanged = isObject && Object.keys(JSON.parse(text)).length === 0 && status === 200
      if (!isUnchanged) expect([text, status, code]).toEqual([text, 400, 'invalid-body'])
    }
  }
})

it('a valid string is stored as its value', async () => {
  const app = await opened()
  for (const text of validStrings) {
    const { status, body } = await app.send('POST', '/note', `{"title":${text}}`)
    expect([text, status, body.title]).toEqual([text, 201, JSON.parse(text)])
  }
})

it('invalid JSON is malformed, and changes nothing', async () => {
  const app = await opened()
  for (const payload of invalidJson) {
    for (const [status, code] of await responses(app, payload))
      expect([shown(payload), status, code]).toEqual([shown(payload), 400, 'malformed-json'])
  }
  expect(await app.column('title', '/note')).toEqual(['first'])
})

it('JSON that depends on the parser is read or rejected, without another error', async () => {
  const app = await opened()
  for (const payload of parserDependentJson) {
    for (const [status, code] of await responses(app, payload))
      expect([shown(payload), [200, 400].includes(status) ? 'accepted or rejected' : code]).toEqual([
        shown(payload),
        'accepted or rejected',
      ])
  }
  expect(await app.column('title', '/note')).toEqual(['first'])
})

it('the lists are long enough, and agree with the parser of JavaScript', () => {
  const isParsed = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  expect(validJson.filter(({ text }) => !isParsed(text))).toEqual([])
  expect(invalidJson.filter((text) => typeof text === 'string' && isParsed(text))).toEqual([])
  expect([validJson.length > 70, invalidJson.length > 180]).toEqual([true, true])
})

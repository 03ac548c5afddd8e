import { expect, it } from 'vitest'
import { api, identity, noun, resource, text } from '../index.ts'
import { openapi } from '../openapi/index.ts'

const note = noun('note', { id: identity(), line: text() })
const ignored = { code: 'nested-object', reason: 'Older clients send it.' }

it('an exception needs a reason, and the document has both', () => {
  const withoutReason = [{ code: 'nested-object', reason: ' ' }]
  expect(() => resource(note, { ignore: withoutReason })).toThrow(
    'an exception must have a code and a reason, not {"code":"nested-object","reason":" "}',
  )
  const options = { versioning: 'per-noun', writes: 'nested' } as const
  expect(() => api('notes', { ...options, ignore: withoutReason, resources: [] })).toThrow('and a reason')
  const document = openapi(
    api('notes', { ...options, ignore: [ignored], resources: [resource(note, { ignore: [ignored] })] }),
  )
  expect(document['x-nomen-ignore']).toEqual([ignored])
  expect(document.paths['/note']?.get).toMatchObject({ 'x-nomen-ignore': [ignored] })
})

import { expect, it } from 'vitest'
import { api, identity, noun, resource, text } from '../index.ts'
import { openapi } from '../openapi/index.ts'

const note = noun('note', { id: identity(), line: text() })
const ignored = { code: 'nested-object', reason: 'Older clients send it.' }

it('a rule that is ignored has a reason, and the document carries it on', () => {
  const wrong = [{ code: 'nested-object', reason: ' ' }]
  expect(() => resource(note, { ignore: wrong })).toThrow('ignores "nested-object" without a reason')
  const options = { versioning: 'per-noun', writes: 'nested' } as const
  expect(() => api('notes', { ...options, ignore: wrong, resources: [] })).toThrow('without a reason')
  const document = openapi(
    api('notes', { ...options, ignore: [ignored], resources: [resource(note, { ignore: [ignored] })] }),
  )
  expect(document['x-nomen-ignore']).toEqual([ignored])
  expect(document.paths['/note']?.get).toMatchObject({ 'x-nomen-ignore': [ignored] })
})

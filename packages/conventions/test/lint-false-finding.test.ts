/** Correct parts of public documents that the linter once reported. */
import { describe, expect, it } from 'vitest'
import { goodDocument, type Loose } from './good-document.ts'
import { linted } from './linted.ts'
import { schemas, text } from './rule-case.ts'

async function codesOf(change: (document: Loose) => void): Promise<string[]> {
  const document = goodDocument()
  change(document)
  const { findings } = await linted(document)
  return findings.map(({ code, message }) => `${code}: ${message}`)
}

const withProperties = (properties: object) => (document: Loose) =>
  Object.assign(schemas(document).Preference.properties, properties)

/** An operation with a body of one property. */
const sending = (property: string) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { [property]: text } } } } },
  responses: { 200: { description: 'd' }, 404: { description: 'd' } },
})

describe('redundant-prefix does not report', () => {
  it.each([
    ['post', '/v1/mail/send', 'sendAt'],
    ['put', '/v1/user/{id}/lock', 'lockReason'],
    ['put', '/v1/user/{id}/merge', 'mergeMethod'],
    ['post', '/v1/user/{id}/convert', 'convertStatus'],
    ['post', '/v1/user/{id}/cancellation', 'cancellationReason'],
  ])('a property that repeats the action of %s %s', async (method, path, property) => {
    const findings = await codesOf(({ paths }) => {
      paths[path] = { [method]: sending(property) }
    })
    expect(findings.filter((finding) => finding.startsWith('redundant-prefix'))).toEqual([])
  })

  it.each([
    ['/v1/download', 'downloadUrl'],
    ['/v1/configuration/default', 'defaultForNewUser'],
  ])('a property of GET %s with a verb or an adjective', async (path, property) => {
    const findings = await codesOf(({ paths }) => {
      const schema = { type: 'object', properties: { id: text, [property]: text } }
      paths[path] = { get: { responses: { 200: { description: 'd', content: { 'application/json': { schema } } } } } }
    })
    expect(findings.filter((finding) => finding.startsWith('redundant-prefix'))).toEqual([])
  })
})

it('plural-property does not report texts that are plural by nature', async () => {
  const names = ['details', 'instructions', 'arguments', 'notes', 'contents', 'orderDetails']
  expect(await codesOf(withProperties(Object.fromEntries(names.map((name) => [name, text]))))).toEqual([])
})

describe('reference-object', () => {
  const referenceObjects = async (properties: object) => {
    const findings = await codesOf(withProperties({ owner: { type: 'object', properties } }))
    return findings.filter((finding) => finding.startsWith('reference-object')).length
  }

  it.each([
    ['an ID and a text about something else', { creditorId: text, transactionDescription: text }],
    ['an ID and a list', { groupId: text, groupsToDisplay: { type: 'array', items: text } }],
    ['an ID and a number', { id: text, value: { type: 'integer' } }],
  ])('does not report %s', async (_, properties) => {
    expect(await referenceObjects(properties)).toBe(0)
  })

  it.each([
    ['an ID and a name', { id: text, name: text }],
    ['an ID and its label', { departmentId: text, departmentName: text }],
    ['an ID and the label of the property', { id: text, ownerName: text }],
  ])('reports %s', async (_, properties) => {
    expect(await referenceObjects(properties)).toBe(1)
  })
})

it('verb-path-segment proposes a singular name', async () => {
  const document = goodDocument()
  document.paths['/v1/user/{id}/generate-notes'] = { post: sending('title') }
  const { findings } = await linted(document)
  expect(findings.filter(({ code }) => code === 'verb-path-segment').map(({ fix }) => fix)).toEqual([
    'Rename it to "note".',
  ])
})

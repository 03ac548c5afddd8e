/** Correct parts of public documents that the linter once reported. */
import { describe, expect, it } from 'vitest'
import { goodDocument, type Loose } from './good-document.ts'
import { linted } from './linted.ts'
import { schemas, shown, text, users } from './rule-case.ts'

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

it('redundant-prefix does not report the name of another noun, nor a reference to it', async () => {
  const reported = async (property: string) => {
    const found = await codesOf((document) => {
      document.paths['/v1/preference-group'] = document.paths['/v1/user']
      Object.assign(schemas(document).Preference.properties, { [property]: text })
    })
    return found.filter((finding) => finding.startsWith('redundant-prefix')).length
  }
  expect(await reported('preferenceGroup')).toBe(0)
  expect(await reported('preferenceGroupId')).toBe(0)
  expect(await reported('preferenceColor')).toBe(1)
})

it('plural-property does not report strings that are plural by nature', async () => {
  const names = ['details', 'instructions', 'arguments', 'notes', 'contents', 'orderDetails', 'comments', 'dimensions']
  expect(await codesOf(withProperties(Object.fromEntries(names.map((name) => [name, text]))))).toEqual([])
})

it('plural-property does not report strings of several values', async () => {
  const descriptions = [
    'The names of the groups, separated by commas.',
    'An array of group IDs.',
    'A JSON-based array of groups, as a URL-encoded string.',
    'Key-value pairs of groups.',
    'The group(s) of the user.',
    'The number of groups: one or all.',
  ]
  for (const description of descriptions)
    expect(await codesOf(withProperties({ groups: { ...text, description } })), description).toEqual([])
  expect(await codesOf(withProperties({ groups: text }))).not.toEqual([])
})

it('plural-property does not report permissions, which have the names of resources', async () => {
  const object = { type: 'object', properties: { issues: text } }
  const found = async (name: string) => {
    const all = await codesOf(withProperties({ [name]: object }))
    return all.filter((finding) => finding.startsWith('plural-property'))
  }
  expect(await found('permissions')).toEqual([])
  expect(await found('board')).toHaveLength(1)
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

const answering = (properties: object) => ({
  responses: { 200: { description: 'd', content: { 'application/json': { schema: { type: 'object', properties } } } } },
})
const accepting = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const findingsOf = async (code: string, change: (document: Loose) => void) =>
  (await codesOf(change)).filter((finding) => finding.startsWith(`${code}:`))

describe('metadata-property', () => {
  it('does not report a record about requests', async () => {
    const found = await findingsOf('metadata-property', ({ paths }) => {
      paths['/v1/audit-event/{id}'] = { get: answering({ id: text, correlationId: text }) }
    })
    expect(found).toEqual([])
  })

  it('does not report an ID that is only sent', async () => {
    const found = await findingsOf('metadata-property', ({ paths }) => {
      paths['/v1/approval'] = { post: sending('requestId') }
    })
    expect(found).toEqual([])
  })

  it('reports an ID that is returned, and an authorization that is sent', async () => {
    const found = await findingsOf('metadata-property', ({ paths }) => {
      paths['/v1/approval'] = { post: { ...sending('authorization'), ...answering({ requestId: text }) } }
    })
    expect(found).toHaveLength(2)
  })
})

it('reserved-property does not report an object that describes a page', async () => {
  const reserved = (properties: object) =>
    findingsOf('reserved-property', ({ paths }) => {
      paths['/v1/paging/{id}'] = { get: answering(properties) }
    })
  expect(await reserved({ page: text, pageSize: text })).toEqual([])
  expect(await reserved({ id: text, pageSize: text })).toHaveLength(1)
})

describe('mixed-writes', () => {
  const mixed = (properties: object, path: string, method: string) =>
    findingsOf('mixed-writes', ({ paths }) => {
      paths[path] = { [method]: { ...accepting({ type: 'object', properties }), ...answering(properties) } }
    })

  it('does not report records that have only the name in common', async () => {
    expect(await mixed({ id: text, color: text, size: text }, '/v1/preference', 'post')).toEqual([])
  })

  it('does not report the only record of its kind', async () => {
    expect(await mixed(schemas(goodDocument()).Preference.properties, '/v1/preference', 'put')).toEqual([])
  })

  it('does not report a noun at the root that is only listed below another one', async () => {
    const withOrganizations = (properties: object) =>
      findingsOf('mixed-writes', ({ paths }) => {
        paths['/v1/organization'] = { post: { ...accepting({ type: 'object', properties }), ...answering(properties) } }
        paths['/v1/user/{id}/organization'] = { get: paths['/v1/user/{id}/preference'].get }
      })
    expect(await withOrganizations({ name: text })).toEqual([])
    expect(await withOrganizations({ name: text, userRef: text })).toHaveLength(1)
  })

  it('reports the same records', async () => {
    expect(await mixed(schemas(goodDocument()).Preference.properties, '/v1/preference', 'post')).toHaveLength(1)
  })
})

it('patch-required does not report the object around a record', async () => {
  const wrapped = (required: string[]) =>
    findingsOf('patch-required', ({ paths }) => {
      const user = { type: 'object', properties: { email: text, phone: text }, required }
      const schema = { type: 'object', required: ['user'], properties: { user } }
      Object.assign(paths['/v1/user/{id}'].patch, accepting(schema))
    })
  expect(await wrapped([])).toEqual([])
  expect(await wrapped(['email'])).toHaveLength(1)
})

it('patch-required does not report required properties of the elements of a list', async () => {
  const found = await findingsOf('patch-required', ({ paths }) => {
    const check = { type: 'object', required: ['context'], properties: { context: text } }
    const schema = { type: 'object', properties: { strict: text, checks: { type: 'array', items: check } } }
    paths['/v1/user/{id}/protection'] = { patch: { ...accepting(schema), ...answering({ strict: text }) } }
  })
  expect(found).toEqual([])
})

it('filter-abbreviation does not report a parameter that adds metadata to the response', async () => {
  const withParameter = (name: string) =>
    findingsOf('filter-abbreviation', (document) => {
      Object.assign(schemas(document).User.properties, { metadata: text, organization: text })
      document.paths['/v1/user'].get.parameters.push({ name, in: 'query', schema: text })
    })
  expect(await withParameter('meta')).toEqual([])
  expect(await withParameter('org')).toHaveLength(1)
})

it('put-required looks into the object around a record', async () => {
  const wrapped = (required: string[]) =>
    findingsOf('put-required', ({ paths }) => {
      const data = { type: 'object', properties: { label: text }, required }
      const schema = { type: 'object', properties: { data } }
      paths['/v1/badge/{id}'] = { put: { ...accepting(schema), ...answering({ label: text }) } }
    })
  expect(await wrapped(['label'])).toEqual([])
  expect(await wrapped([])).toHaveLength(1)
})

it('write-property looks into the object around a record', async () => {
  const found = await findingsOf('write-property', ({ paths }) => {
    const user = { type: 'object', properties: { email: text, telephone: text } }
    Object.assign(paths['/v1/user/{id}'].patch, accepting({ type: 'object', properties: { user } }))
  })
  expect(found).toHaveLength(1)
})

it('verb-path-segment does not report a noun of a verb and a particle', async () => {
  const found = (path: string) =>
    findingsOf('verb-path-segment', ({ paths }) => {
      paths[path] = { get: answering({ id: text }) }
    })
  expect(await found('/v1/add-on')).toEqual([])
  expect(await found('/v1/add-member')).toHaveLength(1)
})

it('write-property does not report an option that the read has as a parameter', async () => {
  const found = await findingsOf('write-property', (document) => {
    schemas(document).UserUpdate.properties.expand = text
    const { get } = document.paths['/v1/user/{id}']
    get.parameters = [...(get.parameters ?? []), { name: 'expand', in: 'query', schema: text }]
  })
  expect(found).toEqual([])
})

it('repeatable-filter does not report a parameter that expands records', async () => {
  const withParameter = (name: string) =>
    findingsOf('repeatable-filter', (document) => {
      schemas(document).User.properties[name] = text
      document.paths['/v1/user'].get.parameters.push({ name, in: 'query', schema: text })
    })
  expect(await withParameter('expand')).toEqual([])
  expect(await withParameter('nickname')).toHaveLength(1)
})

it('page-parameter does not report a filter on a property such as "size"', async () => {
  const withFilter = (properties: object) =>
    findingsOf('page-parameter', (document) => {
      Object.assign(schemas(document).Preference.properties, properties)
      document.paths['/v1/user/{id}/preference'].get.parameters = [{ name: 'size', in: 'query', schema: text }]
    })
  expect(await withFilter({ size: text })).toEqual([])
  expect(await withFilter({})).toHaveLength(1)
})

it('no rule asks for the responses of an operation that has been removed', async () => {
  const removed = { responses: { 410: { description: 'The operation has been removed.' } } }
  const findings = await codesOf(({ paths }) => {
    paths['/v1/badge/{id}'] = { get: removed, delete: removed }
  })
  expect(findings).toEqual([])
})

it('not-found-response does not report a list whose path ends in a parameter', async () => {
  const found = await findingsOf('not-found-response', ({ paths }) => {
    const schema = { type: 'array', items: { type: 'object', properties: { id: text } } }
    paths['/v1/holiday/{year}'] = {
      get: { responses: { 200: { description: 'd', content: { 'application/json': { schema } } } } },
    }
  })
  expect(found).toEqual([])
})

it('patch-required does not report read-only properties, which only responses require', async () => {
  const found = await findingsOf('patch-required', (document) => {
    const properties = { id: { type: 'integer', readOnly: true }, email: text }
    Object.assign(document.paths['/v1/user/{id}'].patch, accepting({ type: 'object', required: ['id'], properties }))
  })
  expect(found).toEqual([])
})

it('lookup-path reports only methods that change a record', async () => {
  const withMethod = (method: string) =>
    findingsOf('lookup-path', ({ paths }) => {
      paths['/v1/user/by-email/{email}'][method] = { responses: { 200: { description: 'd' } } }
    })
  expect(await withMethod('head')).toEqual([])
  expect(await withMethod('options')).toEqual([])
  expect(await withMethod('delete')).toHaveLength(1)
})

it('update-response does not expect write-only properties in a response', async () => {
  const found = await findingsOf('update-response', ({ paths, components }) => {
    const { properties } = components.schemas.User
    const response = { type: 'object', properties: { ...properties } }
    Object.assign(paths['/v1/user/{id}'].patch.responses[200].content['application/json'], { schema: response })
    properties.password = { ...text, writeOnly: true }
  })
  expect(found).toEqual([])
})

it('pagination-envelope does not report results without a description, and names results of another type', async () => {
  const withResults = (results: object) =>
    findingsOf('pagination-envelope', (document) => {
      shown(users(document)).schema.properties.results = results
    })
  expect(await withResults({})).toEqual([])
  expect(await withResults({ type: 'object', properties: { id: text } })).toEqual([
    'pagination-envelope: GET /v1/user returns results that are not an array.',
  ])
})

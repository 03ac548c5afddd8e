import { describe, expect, it } from 'vitest'
import { rules } from '../src/index.ts'
import { goodDocument, type Loose } from './good-document.ts'
import { linted } from './linted.ts'

const rename = (paths: Loose, from: string, to: string) => {
  for (const path of Object.keys(paths)) {
    const other = path.replace(from, to)
    if (other === path) continue
    paths[other] = paths[path]
    delete paths[path]
  }
}
const schemas = (document: Loose) => document.components.schemas
const users = (document: Loose) => document.paths['/v1/user'].get
const user = (document: Loose) => document.paths['/v1/user/{id}']
const shown = (operation: Loose) => operation.responses[200].content['application/json']
const text = { type: 'string' }

interface Case {
  readonly code: string
  readonly why: string
  readonly breaks: (document: Loose) => void
  /** What its findings say. */
  readonly says: readonly string[]
}

const cases: readonly Case[] = [
  {
    code: 'plural-path-segment',
    why: 'a plural noun, once for all paths that go through it',
    breaks: ({ paths }) => rename(paths, '/preference', '/preferences'),
    says: ['The segment "preferences" of /v1/user/{id}/preferences is plural. Call it "preference".'],
  },
  {
    code: 'plural-path-segment',
    why: 'a plural last word',
    breaks: ({ paths }) => rename(paths, '/preference', '/display-settings'),
    says: ['The segment "display-settings" of /v1/user/{id}/display-settings is plural. Call it "display-setting".'],
  },
  {
    code: 'kebab-case-path-segment',
    why: 'mixed case',
    breaks: ({ paths }) => rename(paths, '/preference', '/userPreference'),
    says: [
      'The segment "userPreference" of /v1/user/{id}/userPreference is not in lower kebab-case. Call it "user-preference".',
    ],
  },
  {
    code: 'kebab-case-path-segment',
    why: 'a segment that is partly a parameter',
    breaks: ({ paths }) => rename(paths, '{id}/preference', '{id}.json/preference'),
    says: [
      'The segment "{id}.json" of /v1/user/{id}.json/preference is partly a parameter. Let each segment be a name or one parameter.',
    ],
  },
  {
    code: 'empty-path-segment',
    why: 'a slash at the end',
    breaks: ({ paths }) => rename(paths, '/by-email/{email}', '/by-email/{email}/'),
    says: ['/v1/user/by-email/{email}/ ends in a slash. Write /v1/user/by-email/{email}.'],
  },
  {
    code: 'verb-path-segment',
    why: 'a verb',
    breaks: ({ paths }) => rename(paths, '/preference', '/get-preference'),
    says: [
      'The segment "get-preference" of /v1/user/{id}/get-preference begins with the verb "get". Name the thing: "preference".',
    ],
  },
  {
    code: 'version-segment',
    why: 'a version that is not at the beginning',
    breaks: ({ paths }) => rename(paths, '/v1/user/by-email', '/directory/v1/user/by-email'),
    says: [
      'The version "v1" does not stand at the beginning of /directory/v1/user/by-email/{email}. ' +
        'Let the path begin with /v1; what stands before it belongs to the address of the server.',
    ],
  },
  {
    code: 'version-segment',
    why: 'a version that is not a whole number',
    breaks: ({ paths }) => rename(paths, '/v1/user/by-email', '/v1.2/user/by-email'),
    says: ['The version "v1.2" of /v1.2/user/by-email/{email} is not v and a whole number. Call it "v1".'],
  },
  {
    code: 'lookup-path',
    why: 'a lookup by what the record does not have',
    breaks: ({ paths }) => rename(paths, 'by-email', 'by-external-id'),
    says: [
      '/v1/user/by-external-id/{email} looks up by "externalId", which the record does not have. ' +
        'Name a property of the record, in kebab-case.',
    ],
  },
  {
    code: 'lookup-path',
    why: 'a lookup without a value',
    breaks: ({ paths }) => rename(paths, 'by-email/{email}', 'by-email'),
    says: ['No parameter follows "by-email" in /v1/user/by-email. Write …/by-email/{value}.'],
  },
  {
    code: 'lookup-path',
    why: 'a change by a lookup',
    breaks: ({ paths }) => {
      const path = paths['/v1/user/by-email/{email}']
      path.delete = path.get
    },
    says: [
      'DELETE /v1/user/by-email/{email} changes a record that it looks up by another property than its identity. ' +
        'Change it at the path with its identity.',
    ],
  },
  {
    code: 'camel-case-name',
    why: 'a property and a parameter in snake_case',
    breaks: (document) => {
      schemas(document).Preference.properties.valid_from = text
      users(document).parameters.push({ name: 'created_to', in: 'query', schema: text })
    },
    says: [
      'The parameter "created_to" is not in camelCase. Call it "createdTo".',
      'The property "valid_from" is not in camelCase. Call it "validFrom".',
    ],
  },
  {
    code: 'plural-property',
    why: 'a plural that holds one text, but no figure, set or choice',
    breaks: (document) => {
      const { properties } = schemas(document).Preference
      Object.assign(properties, {
        comments: text,
        totalPages: text,
        lengthInBytes: text,
        idleSeconds: text,
        tags: { type: 'array' },
      })
      Object.assign(properties, { visits: { type: 'integer' }, alerts: { type: 'string', enum: ['ON', 'OFF'] } })
    },
    says: ['The property "comments" is plural and holds one string. Call it "comment".'],
  },
  {
    code: 'redundant-prefix',
    why: 'the noun of the path in a property, but for {noun}Ref',
    breaks: (document) => {
      const { properties } = schemas(document).Preference
      Object.assign(properties, { preferenceID: text, preferenceRef: text, preferenceLabel: text })
    },
    says: [
      'The property "preferenceID" repeats the noun "preference". Call it "id".',
      'The property "preferenceLabel" repeats the noun "preference". Call it "label".',
    ],
  },
  {
    code: 'reserved-property',
    why: 'a property that is called as a parameter of lists',
    breaks: (document) => {
      schemas(document).Preference.properties.sort = text
    },
    says: [
      'The property "sort" bears the name of a query parameter of every list. ' +
        'Choose another name than pageNumber, pageSize, include, sort, search.',
    ],
  },
  {
    code: 'metadata-property',
    why: 'the id of the request in a record',
    breaks: (document) => {
      schemas(document).Preference.properties.requestId = text
    },
    says: ['The property "requestId" tells of the request, not of the record. Send it in a header.'],
  },
  {
    code: 'reference-object',
    why: 'an object of id and name',
    breaks: (document) => {
      schemas(document).Preference.properties.owner = { type: 'object', properties: { id: text, displayName: text } }
    },
    says: [
      'The property "owner" is an object of "id" and "displayName" only. ' +
        'Return one value: the id in a form, what it is called in a list.',
    ],
  },
  {
    code: 'nested-object',
    why: 'an object in a record',
    breaks: (document) => {
      schemas(document).Preference.properties.place = { properties: { street: text, town: text, country: text } }
    },
    says: [
      'The property "place" is an object of 3 properties. ' +
        'Put what belongs to the record beside its other properties, and what stands for itself below it.',
    ],
  },
  {
    code: 'pagination-envelope',
    why: 'a plain array at the root',
    breaks: (document) => {
      shown(users(document)).schema = { type: 'array', items: { $ref: '#/components/schemas/UserItem' } }
    },
    says: ['GET /v1/user answers a plain array. Answer an object of pageInfo and results.'],
  },
  {
    code: 'pagination-envelope',
    why: 'another envelope',
    breaks: (document) => {
      const { schema } = shown(users(document))
      schema.properties = { data: schema.properties.results, total: { type: 'integer' } }
    },
    says: ['GET /v1/user answers an object of "data" and "total". Answer an object of pageInfo and results.'],
  },
  {
    code: 'page-info-property',
    why: 'a figure that is missing and one that is no integer',
    breaks: (document) => {
      const { properties } = schemas(document).PageInfo
      delete properties.numberOfPages
      properties.numberOfRecords = text
    },
    says: [
      'pageInfo of GET /v1/user has no integer "numberOfPages" and "numberOfRecords". ' +
        'Give it pageSize, pageNumber, numberOfPages, numberOfRecords, each an integer.',
    ],
  },
  {
    code: 'page-parameter',
    why: 'other names',
    breaks: (document) => {
      for (const one of users(document).parameters) {
        if (one.name === 'pageNumber') one.name = 'page'
        if (one.name === 'pageSize') one.name = 'perPage'
      }
    },
    says: [
      'GET /v1/user has no parameter "pageNumber" and "pageSize", but "page" and "perPage". Take pageNumber and pageSize.',
    ],
  },
  {
    code: 'page-parameter',
    why: 'a required one and one that is no integer',
    breaks: (document) => {
      const [number, size] = users(document).parameters
      number.required = true
      size.schema = text
    },
    says: [
      'The parameter "pageNumber" of GET /v1/user is required. Let it be an optional integer with a default.',
      'The parameter "pageSize" of GET /v1/user is no integer. Let it be an optional integer with a default.',
    ],
  },
  {
    code: 'filter-name',
    why: 'another spelling of the property',
    breaks: (document) => {
      users(document).parameters[3].name = 'lastname'
    },
    says: ['GET /v1/user filters the property "lastName" by "lastname". Call the parameter "lastName".'],
  },
  {
    code: 'filter-abbreviation',
    why: 'abbreviations of properties',
    breaks: (document) => {
      for (const name of ['dep', 'eml']) {
        users(document).parameters.push({ name, in: 'query', schema: { type: 'array', items: text } })
      }
      schemas(document).UserItem.properties.department = { type: 'integer' }
    },
    says: [
      'The parameter "dep" of GET /v1/user abbreviates the property "department". Call it "department".',
      'The parameter "eml" of GET /v1/user abbreviates the property "email". Call it "email".',
    ],
  },
  {
    code: 'repeatable-filter',
    why: 'a filter and include that take one value',
    breaks: (document) => {
      users(document).parameters[2].schema = { type: 'integer' }
      users(document).parameters[3].schema = text
    },
    says: [
      'The parameter "include" of GET /v1/user takes one integer. Let it be an array: records that match any of the values.',
      'The parameter "lastName" of GET /v1/user takes one string. Let it be an array: records that match any of the values.',
    ],
  },
  {
    code: 'list-variant',
    why: 'a summary with more and a detail with less',
    breaks: (document) => {
      schemas(document).UserSummary.properties.department = { type: 'integer' }
      delete schemas(document).UserDetail.properties.firstName
    },
    says: [
      'GET /v1/user-detail lacks "firstName", which GET /v1/user shows. Let it show all of the list and more.',
      'GET /v1/user-summary shows "department", which GET /v1/user does not. Let it show less than the list.',
    ],
  },
  {
    code: 'incomplete-record',
    why: 'a list that shows more than the record',
    breaks: (document) => {
      schemas(document).UserItem.properties.phone = text
      schemas(document).UserDetail.properties.phone = text
    },
    says: ['GET /v1/user/{id} lacks "phone", which GET /v1/user shows. Let the single record show everything.'],
  },
  {
    code: 'get-body',
    why: 'a GET with a body',
    breaks: (document) => {
      users(document).requestBody = { content: { 'application/json': { schema: text } } }
    },
    says: ['GET /v1/user takes a body. Take its values as query parameters.'],
  },
  {
    code: 'success-status',
    why: 'a delete that answers 204',
    breaks: (document) => {
      user(document).delete.responses = { 204: { description: 'Gone.' }, 404: { description: 'Missing.' } }
    },
    says: ['DELETE /v1/user/{id} answers 204. Answer 200.'],
  },
  {
    code: 'not-found-response',
    why: 'a read that does not tell of 404',
    breaks: (document) => {
      delete user(document).get.responses[404]
    },
    says: ['GET /v1/user/{id} does not tell of 404. Answer 404 where there is no such record, and say so.'],
  },
  {
    code: 'delete-consistency',
    why: 'one delete that tells of 404 and one that does not',
    breaks: (document) => {
      delete user(document).delete.responses[404]
    },
    says: ['DELETE /v1/user/{id} does not tell of 404, unlike 1 of 2 deletes. Choose one for all.'],
  },
  {
    code: 'put-required',
    why: 'a PUT with a property that may be left out',
    breaks: (document) => {
      schemas(document).UserReplacement.required = ['firstName', 'lastName', 'department']
    },
    says: [
      'PUT /v1/user/{id} does not require "email". ' +
        'Require them, mark as readOnly what cannot be changed, or offer a PATCH instead.',
    ],
  },
  {
    code: 'patch-required',
    why: 'a PATCH that requires something',
    breaks: (document) => {
      schemas(document).UserUpdate.required = ['email']
    },
    says: ['PATCH /v1/user/{id} requires "email". Require nothing.'],
  },
  {
    code: 'update-response',
    why: 'an update that answers nothing, and one that answers a part',
    breaks: (document) => {
      delete user(document).put.responses[200].content
      shown(user(document).patch).schema = { $ref: '#/components/schemas/UserDetail' }
    },
    says: [
      'PUT /v1/user/{id} answers no record. Answer the whole record as it is now.',
      'PATCH /v1/user/{id} answers without "created", which GET /v1/user/{id} shows. Answer the whole record as it is now.',
    ],
  },
  {
    code: 'write-property',
    why: 'a property that is sent under another name, but not one that is only sent',
    breaks: (document) => {
      const { properties } = schemas(document).UserUpdate
      Object.assign(properties, { dept: text, password: { type: 'string', writeOnly: true } })
    },
    says: [
      'PATCH /v1/user/{id} takes "dept", which GET /v1/user/{id} does not show. ' +
        'Call a property the same everywhere; mark as writeOnly what is never shown.',
    ],
  },
  {
    code: 'mixed-writes',
    why: 'one noun that is changed below its parent and at the root',
    breaks: ({ paths }) => {
      paths['/v1/preference'] = { post: paths['/v1/user/{id}/preference'].post }
    },
    says: [
      'POST /v1/user/{id}/preference changes below its parent what POST /v1/preference changes at the root. ' +
        'Choose one form for the whole api.',
    ],
  },
  {
    code: 'mixed-writes',
    why: 'one noun in this form and one in that',
    breaks: ({ paths }) => {
      paths['/v1/role'] = { post: paths['/v1/user/{id}/preference'].post }
      paths['/v1/user/{id}/role'] = { get: paths['/v1/user/{id}/preference'].get }
    },
    says: [
      'POST /v1/user/{id}/preference changes below its parent, POST /v1/role at the root what is read below its own. ' +
        'Choose one form for the whole api.',
    ],
  },
  {
    code: 'unresolved-reference',
    why: 'references to nothing, to themselves and to a file that is not there',
    breaks: (document) => {
      const { properties } = schemas(document).Preference
      properties.lost = { $ref: '#/components/schemas/Lost' }
      properties.self = { $ref: '#/components/schemas/Preference/properties/self' }
      properties.away = { $ref: 'away.yaml#/Away' }
    },
    says: [
      'The reference "#/components/schemas/Lost" leads nowhere: there is no "Lost" in /components/schemas. Let it lead to something that is there.',
      'The reference "#/components/schemas/Preference/properties/self" leads nowhere: it leads in a circle. Let it lead to something that is there.',
      'The reference "away.yaml#/Away" leads nowhere: away.yaml cannot be read. Name a file that is there.',
    ],
  },
  {
    code: 'unresolved-reference',
    why: 'a reference where no rule looks, with the nearest name',
    breaks: (document) => {
      document.components.parameters = {
        idle: { in: 'header', name: 'X', schema: { $ref: '#/components/schemas/Usr' } },
      }
      document.paths['/v1/user'].get.responses[200].example = { $ref: '#/is/data' }
    },
    says: [
      'The reference "#/components/schemas/Usr" leads nowhere: there is no "Usr" in /components/schemas. Did you mean "User"?',
    ],
  },
  {
    code: 'camel-case-name',
    why: 'names in webhooks and callbacks, and nothing else of them',
    breaks: (document) => {
      const message = (name: string) => ({
        post: {
          parameters: [{ in: 'query', name: `${name}_query`, schema: text }],
          requestBody: {
            content: { 'application/json': { schema: { type: 'object', properties: { [`${name}_at`]: text } } } },
          },
          responses: { 204: { description: 'd' } },
        },
      })
      document.webhooks = { 'users-changed': message('sent') }
      users(document).callbacks = { done: { '{$request.query.url}/Calls': message('called') } }
    },
    says: [
      'The parameter "called_query" is not in camelCase. Call it "calledQuery".',
      'The property "called_at" is not in camelCase. Call it "calledAt".',
      'The parameter "sent_query" is not in camelCase. Call it "sentQuery".',
      'The property "sent_at" is not in camelCase. Call it "sentAt".',
    ],
  },
]

describe('a rule', () => {
  it('finds nothing in a document that keeps to the conventions', async () => {
    const { findings, numberOfOperations } = await linted(goodDocument())
    expect(findings).toEqual([])
    expect(numberOfOperations).toBe(12)
  })

  it.each(cases.map((one) => [one.code, one.why, one] as const))('%s finds %s', async (code, _, { breaks, says }) => {
    const document = goodDocument()
    breaks(document)
    const { findings } = await linted(document)
    expect(findings.map((one) => `${one.message} ${one.fix}`)).toEqual(says)
    expect(new Set(findings.map((one) => one.code))).toEqual(new Set([code]))
    const { severity } = rules.find((one) => one.code === code) ?? {}
    expect(findings[0]).toMatchObject({ severity, explain: `nomen lint --explain ${code}` })
  })

  it('gives a name that breaks two of them one fix', async () => {
    const document = goodDocument()
    schemas(document).User.properties.user_name = text
    users(document).parameters.push({ name: 'user_name', in: 'query', schema: { type: 'array', items: text } })
    const { findings } = await linted(document)
    expect(findings.map(({ code, fix }) => [code, fix])).toEqual([
      ['camel-case-name', 'Call it "name".'],
      ['camel-case-name', 'Call it "name".'],
      ['redundant-prefix', 'Call it "name".'],
    ])
  })

  it('has a test each', () => {
    const tested = new Set([...cases.map(({ code }) => code), 'invalid-ignore', 'unused-ignore'])
    expect(tested).toEqual(new Set(rules.map(({ code }) => code)))
  })
})

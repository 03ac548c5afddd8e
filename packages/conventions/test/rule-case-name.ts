/** Documents with paths and properties that the rules of the linter find. */
import { type Case, rename, schemas, text, users } from './rule-case.ts'

export const nameCases: readonly Case[] = [
  {
    code: 'plural-path-segment',
    why: 'a plural noun, once for all paths that go through it',
    breaks: ({ paths }) => rename(paths, '/preference', '/preferences'),
    messages: ['The segment "preferences" of /v1/user/{id}/preferences is plural. Rename it to "preference".'],
  },
  {
    code: 'plural-path-segment',
    why: 'a plural last word',
    breaks: ({ paths }) => rename(paths, '/preference', '/display-settings'),
    messages: [
      'The segment "display-settings" of /v1/user/{id}/display-settings is plural. Rename it to "display-setting".',
    ],
  },
  {
    code: 'kebab-case-path-segment',
    why: 'mixed case',
    breaks: ({ paths }) => rename(paths, '/preference', '/userPreference'),
    messages: [
      'The segment "userPreference" of /v1/user/{id}/userPreference is not in lower kebab-case. Rename it to "user-preference".',
    ],
  },
  {
    code: 'kebab-case-path-segment',
    why: 'a segment that is partly a parameter',
    breaks: ({ paths }) => rename(paths, '{id}/preference', '{id}.json/preference'),
    messages: [
      'The segment "{id}.json" of /v1/user/{id}.json/preference mixes text and a parameter. Make each segment a name or one parameter.',
    ],
  },
  {
    code: 'empty-path-segment',
    why: 'a slash at the end',
    breaks: ({ paths }) => rename(paths, '/by-email/{email}', '/by-email/{email}/'),
    messages: ['/v1/user/by-email/{email}/ has a trailing slash. Write /v1/user/by-email/{email}.'],
  },
  {
    code: 'verb-path-segment',
    why: 'a verb',
    breaks: ({ paths }) => rename(paths, '/preference', '/get-preference'),
    messages: [
      'The segment "get-preference" of /v1/user/{id}/get-preference starts with the verb "get". Rename it to "preference".',
    ],
  },
  {
    code: 'version-segment',
    why: 'a version that is not at the beginning',
    breaks: ({ paths }) => rename(paths, '/v1/user/by-email', '/directory/v1/user/by-email'),
    messages: [
      'The version "v1" is not the first segment of /directory/v1/user/by-email/{email}. ' +
        'Start the path with /v1, and move the prefix to the URL of the server.',
    ],
  },
  {
    code: 'version-segment',
    why: 'a version that is not a whole number',
    breaks: ({ paths }) => rename(paths, '/v1/user/by-email', '/v1.2/user/by-email'),
    messages: [
      'The version "v1.2" of /v1.2/user/by-email/{email} is not "v" followed by an integer. Rename it to "v1".',
    ],
  },
  {
    code: 'lookup-path',
    why: 'a lookup by what the record does not have',
    breaks: ({ paths }) => rename(paths, 'by-email', 'by-external-id'),
    messages: [
      '/v1/user/by-external-id/{email} looks up by "externalId", which is not a property of the record. ' +
        'Use a property of the record, in kebab-case.',
    ],
  },
  {
    code: 'lookup-path',
    why: 'a lookup without a value',
    breaks: ({ paths }) => rename(paths, 'by-email/{email}', 'by-email'),
    messages: ['/v1/user/by-email has no parameter after "by-email". Write …/by-email/{value}.'],
  },
  {
    code: 'lookup-path',
    why: 'a change by a lookup',
    breaks: ({ paths }) => {
      const path = paths['/v1/user/by-email/{email}']
      path.delete = path.get
    },
    messages: [
      'DELETE /v1/user/by-email/{email} changes a record at the path of a lookup. ' + 'Use the path with the ID.',
    ],
  },
  {
    code: 'camel-case-name',
    why: 'a property and a parameter in snake_case',
    breaks: (document) => {
      schemas(document).Preference.properties.valid_from = text
      users(document).parameters.push({ name: 'created_to', in: 'query', schema: text })
    },
    messages: [
      'The parameter "created_to" is not in camelCase. Rename it to "createdTo".',
      'The property "valid_from" is not in camelCase. Rename it to "validFrom".',
    ],
  },
  {
    code: 'plural-property',
    why: 'a plural that holds one text, but no figure, set or choice',
    breaks: (document) => {
      const { properties } = schemas(document).Preference
      Object.assign(properties, {
        labels: text,
        totalPages: text,
        lengthInBytes: text,
        idleSeconds: text,
        tags: { type: 'array' },
      })
      Object.assign(properties, { visits: { type: 'integer' }, alerts: { type: 'string', enum: ['ON', 'OFF'] } })
    },
    messages: ['The property "labels" has a plural name, but holds a single string. Rename it to "label".'],
  },
  {
    code: 'redundant-prefix',
    why: 'the noun of the path in a property, but for {noun}Ref',
    breaks: (document) => {
      const { properties } = schemas(document).Preference
      Object.assign(properties, { preferenceID: text, preferenceRef: text, preferenceLabel: text })
    },
    messages: [
      'The property "preferenceID" repeats the noun "preference". Rename it to "id".',
      'The property "preferenceLabel" repeats the noun "preference". Rename it to "label".',
    ],
  },
  {
    code: 'reserved-property',
    why: 'a property that is called as a parameter of lists',
    breaks: (document) => {
      schemas(document).Preference.properties.sort = text
    },
    messages: [
      'The property "sort" has the name of a list parameter. ' +
        'Use a name other than pageNumber, pageSize, include, sort, search.',
    ],
  },
  {
    code: 'metadata-property',
    why: 'the id of the request in a record',
    breaks: (document) => {
      schemas(document).Preference.properties.requestId = text
    },
    messages: ['The property "requestId" is metadata of the request, not of the record. Send it in a header.'],
  },
  {
    code: 'reference-object',
    why: 'an object of id and name',
    breaks: (document) => {
      schemas(document).Preference.properties.owner = { type: 'object', properties: { id: text, displayName: text } }
    },
    messages: [
      'The property "owner" is an object with only "id" and "displayName". ' +
        'Use one value: the ID in a single record, the label in a list.',
    ],
  },
  {
    code: 'nested-object',
    why: 'an object in a record',
    breaks: (document) => {
      schemas(document).Preference.properties.place = { properties: { street: text, town: text, country: text } }
    },
    messages: [
      'The property "place" is an object with 3 properties. ' +
        'Make its properties part of the record, or make it a nested resource.',
    ],
  },
]

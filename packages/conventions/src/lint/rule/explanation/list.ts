/** The explanations of the rules on lists, pages and filters. */
import { list, record, recordLines } from './example.ts'
import type { Explanation } from './explanation.ts'

export const listExplanations = {
  'pagination-envelope': {
    text:
      'The response of a list is an object with `pageInfo` and `results`. Only a list below a record may be a plain array. ' +
      'A GET is a list if it returns an array, or if a single record can be read below its path.',
    bad: list('/user', 'id: {}'),
    good: `/user:
  get:
    responses:
      '200':
        content:
          application/json:
            schema: { properties: { pageInfo: { type: object }, results: { type: array, items: { properties: { id: {} } } } } }`,
  },
  'page-info-property': {
    text:
      '`pageInfo` has the integers `pageSize`, `pageNumber`, `numberOfPages` and `numberOfRecords`. Other properties are ' +
      'allowed.',
    bad: recordLines(
      '/user',
      'pageInfo: { properties: { pageSize: { type: integer }, total: { type: integer } } }',
      'results: { type: array, items: { properties: { id: {} } } }',
    ),
    good: recordLines(
      '/user',
      'pageInfo:',
      '  properties:',
      '    pageSize: { type: integer }',
      '    pageNumber: { type: integer }',
      '    numberOfPages: { type: integer }',
      '    numberOfRecords: { type: integer }',
      'results: { type: array, items: { properties: { id: {} } } }',
    ),
  },
  'page-parameter': {
    text: 'A paginated list has the optional integer parameters `pageNumber` and `pageSize`, and no other names for them.',
    bad: `/user:
  get:
    parameters: [{ name: page, in: query, schema: { type: integer } }]
    responses: { '200': { content: { application/json: { schema: { properties: { pageInfo: {}, results: { type: array, items: {} } } } } } } }`,
    good: `/user:
  get:
    parameters:
      - { name: pageNumber, in: query, schema: { type: integer } }
      - { name: pageSize, in: query, schema: { type: integer } }
    responses: { '200': { content: { application/json: { schema: { properties: { pageInfo: {}, results: { type: array, items: {} } } } } } } }`,
  },
  'list-variant': {
    text: 'A `-summary` list has only properties of the default list. A `-detail` list has all properties of the default list.',
    bad: [list('/user', 'id: {}, name: {}'), list('/user-summary', 'id: {}, phone: {}')].join('\n'),
    good: [list('/user', 'id: {}, name: {}'), list('/user-summary', 'id: {}')].join('\n'),
  },
  'incomplete-record': {
    text: 'A single record has all properties of its list items.',
    bad: [list('/user', 'id: {}, name: {}'), record('/user/{id}', 'id: {}, phone: {}')].join('\n'),
    good: [list('/user', 'id: {}, name: {}'), record('/user/{id}', 'id: {}, name: {}, phone: {}')].join('\n'),
  },
  'filter-name': {
    text: 'A filter on a property has exactly the name of the property.',
    bad: list('/user', 'firstName: {}', 'name: first_name, in: query, schema: { type: string }'),
    good: list('/user', 'firstName: {}', 'name: firstName, in: query, schema: { type: string }'),
  },
  'filter-abbreviation': {
    text:
      'The name of a filter is not an abbreviation of a property: `department`, not `dep`. Filters that do not correspond ' +
      'to a property may have any name.',
    bad: list('/user', 'department: {}', 'name: dep, in: query, schema: { type: integer }'),
    good: list('/user', 'department: {}', 'name: department, in: query, schema: { type: integer }'),
  },
  'repeatable-filter': {
    text: 'Filters on properties, and `include`, are arrays: a repeated parameter matches any of its values.',
    bad: list('/user', 'status: {}', 'name: status, in: query, schema: { type: string }'),
    good: list('/user', 'status: {}', 'name: status, in: query, schema: { type: array, items: { type: string } }'),
  },
} as const satisfies Readonly<Record<string, Explanation>>

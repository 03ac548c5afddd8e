/** The explanations of the rules on lists, pages and filters. */
import { list, record, recordLines } from './example.ts'
import type { Explanation } from './explanation.ts'

export const listExplanations = {
  'pagination-envelope': {
    text:
      'Clients can then read every list page by page in the same way. A GET is a list if it returns an array, or if a single ' +
      'record can be read below its path.',
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
    text: 'Clients need them to show the position in the list and to request other pages. Other properties are allowed.',
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
    text: 'Clients can then read every list page by page in the same way. Do not use other names, such as `page` and `limit`.',
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
    text:
      'Clients can then change from a `-summary` list to the default list, and from there to a `-detail` list, without losing ' +
      'a property.',
    bad: [list('/user', 'id: {}, name: {}'), list('/user-summary', 'id: {}, phone: {}')].join('\n'),
    good: [list('/user', 'id: {}, name: {}'), list('/user-summary', 'id: {}')].join('\n'),
  },
  'incomplete-record': {
    text: 'Otherwise, a client that opens a list item no longer has all of its values.',
    bad: [list('/user', 'id: {}, name: {}'), record('/user/{id}', 'id: {}, phone: {}')].join('\n'),
    good: [list('/user', 'id: {}, name: {}'), record('/user/{id}', 'id: {}, name: {}, phone: {}')].join('\n'),
  },
  'filter-name': {
    text: 'Clients that know the record then know the name of the filter.',
    bad: list('/user', 'firstName: {}', 'name: first_name, in: query, schema: { type: string }'),
    good: list('/user', 'firstName: {}', 'name: firstName, in: query, schema: { type: string }'),
  },
  'filter-abbreviation': {
    text:
      'Clients that know the record then know the name of the filter: `department`, not `dep`. Filters that do not correspond ' +
      'to a property may have any name.',
    bad: list('/user', 'department: {}', 'name: dep, in: query, schema: { type: integer }'),
    good: list('/user', 'department: {}', 'name: department, in: query, schema: { type: integer }'),
  },
  'repeatable-filter': {
    text: 'A record matches if it has any of the values: `?status=active&status=locked`. Declare the parameter as an array.',
    bad: list('/user', 'status: {}', 'name: status, in: query, schema: { type: string }'),
    good: list('/user', 'status: {}', 'name: status, in: query, schema: { type: array, items: { type: string } }'),
  },
} as const satisfies Readonly<Record<string, Explanation>>

/** Changes of operations, paths and servers. */
import { list, put, type Row, read, record, row, text, user } from './row.ts'

export const operationRows: readonly Row[] = [
  row('an operation', { [`${record}/delete`]: undefined }, 'breaking operation-removed', 'compatible operation-added'),
  row(
    'a path',
    { '/paths/~1user~1{id}~1preference': undefined },
    'breaking operation-removed',
    'compatible operation-added',
  ),
  row(
    'a lookup',
    { '/paths/~1user~1by-email~1{email}': undefined },
    'breaking lookup-removed',
    'compatible lookup-added',
  ),
  row(
    'a list variant',
    { '/paths/~1user-summary': undefined },
    'breaking list-variant-removed',
    'compatible list-variant-added',
  ),
  row(
    'a list variant that comes',
    { '/paths/~1user-detail': { get: { responses: { '200': { description: 'd' } } } } },
    'compatible list-variant-added',
    'breaking list-variant-removed',
  ),
  row(
    'a deprecated operation',
    { [`${record}/get/deprecated`]: true },
    'compatible operation-deprecated',
    'compatible operation-undeprecated',
  ),
  row(
    'a sunset',
    { [`${record}/get/deprecated`]: true, [`${record}/get/x-sunset`]: '2026-03-01' },
    'compatible operation-deprecated',
    ['compatible operation-undeprecated', 'compatible sunset-postponed'],
  ),
  row(
    'an operationId',
    { [`${user}/get/operationId`]: 'users' },
    'compatible operation-id-changed',
    'compatible operation-id-changed',
  ),
  row('a tag of an operation', { [`${user}/get/tags`]: ['user'] }, [], []),
  row('a stability level', { [`${user}/get/x-stability-level`]: 'beta' }, [], []),
  row(
    'no operationId',
    { [`${user}/get/operationId`]: undefined },
    'compatible operation-id-changed',
    'compatible operation-id-changed',
  ),
  row(
    'servers',
    { '/servers': [{ url: 'https://api.example' }] },
    'compatible server-changed',
    'compatible server-changed',
  ),
  row(
    'a stability level of a parameter and of fields',
    {
      [`${list}/3/x-stability-level`]: 'beta',
      [`${read}/id/x-stability-level`]: 'beta',
      [`${put}/firstName/x-stability-level`]: 'beta',
    },
    [],
    [],
  ),
  row('the version of the document', { '/info/version': '2' }, [], []),
  row(
    'a further parameter in a path',
    {
      '/paths/~1user~1{id}~1preference': undefined,
      '/paths/~1user~1{id}~1preference~1{name}': {
        parameters: ['id', 'name'].map((name) => ({ name, in: 'path', required: true, schema: text })),
        get: { responses: { '200': { description: 'd' } } },
      },
    },
    ['breaking operation-removed', 'compatible operation-added'],
    ['breaking operation-removed', 'compatible operation-added'],
  ),
]

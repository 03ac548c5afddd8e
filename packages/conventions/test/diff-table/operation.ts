/** Changes of operations, paths and servers. */
import { list, put, type Row, read, record, row, text, user } from './row.ts'

export const operationRows: readonly Row[] = [
  row('an operation', { [`${record}/delete`]: undefined }, 'breaks operation-removed', 'keeps operation-added'),
  row('a path', { '/paths/~1user~1{id}~1preference': undefined }, 'breaks operation-removed', 'keeps operation-added'),
  row('a lookup', { '/paths/~1user~1by-email~1{email}': undefined }, 'breaks lookup-removed', 'keeps lookup-added'),
  row(
    'a list variant',
    { '/paths/~1user-summary': undefined },
    'breaks list-variant-removed',
    'keeps list-variant-added',
  ),
  row(
    'a list variant that comes',
    { '/paths/~1user-detail': { get: { responses: { '200': { description: 'd' } } } } },
    'keeps list-variant-added',
    'breaks list-variant-removed',
  ),
  row(
    'a deprecated operation',
    { [`${record}/get/deprecated`]: true },
    'keeps operation-deprecated',
    'keeps operation-undeprecated',
  ),
  row(
    'a sunset',
    { [`${record}/get/deprecated`]: true, [`${record}/get/x-sunset`]: '2026-03-01' },
    'keeps operation-deprecated',
    ['keeps operation-undeprecated', 'keeps sunset-put-off'],
  ),
  row(
    'an operationId',
    { [`${user}/get/operationId`]: 'users' },
    'keeps operation-id-changed',
    'keeps operation-id-changed',
  ),
  row('a tag of an operation', { [`${user}/get/tags`]: ['user'] }, [], []),
  row('a stability level', { [`${user}/get/x-stability-level`]: 'beta' }, [], []),
  row(
    'no operationId',
    { [`${user}/get/operationId`]: undefined },
    'keeps operation-id-changed',
    'keeps operation-id-changed',
  ),
  row('servers', { '/servers': [{ url: 'https://api.example' }] }, 'keeps server-changed', 'keeps server-changed'),
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
    ['breaks operation-removed', 'keeps operation-added'],
    ['breaks operation-removed', 'keeps operation-added'],
  ),
]

/** Edits that change nothing for clients. */
import { type Row, read, record, row, schemas, text, user } from './row.ts'

export const noChangeRows: readonly Row[] = [
  row(
    'words',
    {
      '/info/title': 'other',
      [`${user}/get/summary`]: 's',
      [`${read}/id/description`]: 'd',
      [`${read}/id/title`]: 't',
      [`${read}/id/examples`]: [1],
      [`${read}/id/x-enumDescriptions`]: { 1: 'd' },
      '/info/description': 'd',
      '/tags': [{ name: 'user', description: 'd' }],
      [`${user}/get/description`]: 'd',
    },
    [],
    [],
  ),
  row('components that nothing uses', { [`${schemas}/Unused`]: text }, [], []),
  row(
    'a schema by another name',
    {
      [`${schemas}/Person`]: { $ref: '#/components/schemas/User' },
      [`${record}/get/responses/200/content/application~1json/schema`]: { $ref: '#/components/schemas/Person' },
    },
    [],
    [],
  ),
  row('a type that can be inferred', { [`${schemas}/Identified/type`]: undefined }, [], []),
]

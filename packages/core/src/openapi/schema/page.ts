/** The schema of a page of a list. */
import type { JsonSchema } from '../../field/schema.ts'

const count = { type: 'integer', minimum: 0 }
const position = { type: 'integer', minimum: 1 }

export const pageInfoSchema: JsonSchema = {
  type: 'object',
  description: 'The position of a page in its list, and the totals of all pages.',
  required: ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'],
  properties: { pageSize: position, pageNumber: position, numberOfPages: count, numberOfRecords: count },
}

export function pageSchema(item: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['pageInfo', 'results'],
    properties: {
      pageInfo: { $ref: '#/components/schemas/PageInfo' },
      results: { type: 'array', items: item },
    },
  }
}

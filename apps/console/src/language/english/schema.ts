/** The diagram of nouns and relations. */
import type { Format } from '../format.ts'

export function schemaMessages({ number }: Format) {
  return {
    api: 'API',
    diagram: 'Diagram of record types and relations',
    kinds: { reference: 'refers to', owner: 'belongs to', link: 'is linked with' },
    more: (count: number) => `${number(count)} more`,
    relation: (kind: 'reference' | 'owner' | 'link', from: string, to: string, field: string | undefined) =>
      kind === 'reference'
        ? `${from} refers to ${to} by ${field}`
        : `${from} ${kind === 'owner' ? 'belongs to' : 'is linked with'} ${to}`,
  }
}

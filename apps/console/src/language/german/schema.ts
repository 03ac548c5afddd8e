/** The diagram of nouns and relations in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function schemaMessages({ number }: Format): Messages['schema'] {
  return {
    api: 'API',
    diagram: 'Diagramm der Datensatztypen und Beziehungen',
    kinds: { reference: 'verweist auf', owner: 'gehört zu', link: 'ist verknüpft mit' },
    more: (count) => `${number(count)} weitere`,
    relation: (kind, from, to, field) =>
      kind === 'reference'
        ? `${from} verweist mit ${field} auf ${to}`
        : `${from} ${kind === 'owner' ? 'gehört zu' : 'ist verknüpft mit'} ${to}`,
  }
}

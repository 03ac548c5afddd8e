/** Parses CHECK constraints of PostgreSQL that a declaration can express. */
import type { CatalogCheck } from '@nomen/server/admin'

/** The values of `CHECK (state IN ('NEW', 'SENT'))`; undefined for other conditions. */
export function choicesIn({ condition, columns }: CatalogCheck): readonly string[] | undefined {
  if (columns.length !== 1) return undefined
  const list = /^\(\(?"?[^"()]+"?\)?(?:::text)? = ANY \(\(?ARRAY\[(.*?)\]\)?(?:::text\[\])?\)\)$/s.exec(condition)?.[1]
  const literal = /'((?:[^']|'')*)'::(?:text|character varying|bpchar)(?:, |$)/gy
  const values = [...(list ?? '').matchAll(literal)]
  const isCompleteMatch = values.map(([text]) => text).join('') === list
  return isCompleteMatch ? values.map(([, value = '']) => value.replaceAll("''", "'")) : undefined
}

/** The limit of `CHECK (lines > 0)` for an integer. */
export function limitIn({
  condition,
  columns,
}: CatalogCheck): { readonly min?: number; readonly max?: number } | undefined {
  const [, operator, bound] = /^\("?[^"()]+"? (>=|<=|>|<) '?(-?\d+)'?(?:::\w+)?\)$/.exec(condition) ?? []
  if (columns.length !== 1 || operator === undefined) return undefined
  const limit = Number(bound)
  if (operator === '>' || operator === '>=') return { min: operator === '>' ? limit + 1 : limit }
  return { max: operator === '<' ? limit - 1 : limit }
}

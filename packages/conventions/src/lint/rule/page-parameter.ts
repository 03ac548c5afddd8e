/** What apis call the parameters that choose a page. */
import { wordsOf } from '../word/words.ts'

const names = new Set([
  ...['page', 'page number', 'page no', 'page num', 'page index', 'page offset', 'offset', 'skip'],
  ...['page size', 'page limit', 'per page', 'size', 'limit', 'count', 'max results', 'top'],
  ...['cursor', 'page cursor', 'page token', 'starting after'],
])

/** Whether a parameter, in whatever spelling, chooses a page: `pageSize`, `per_page`, `$top`. */
export function isPageParameter(name: string): boolean {
  return names.has(wordsOf(name).join(' '))
}

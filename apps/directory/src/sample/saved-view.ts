/** The saved views of the sample: lists of the console that all users see. */

const views = [
  {
    name: 'Engineers',
    path: '/user-detail',
    query: { _columns: 'firstName lastName email status', department: '2', sort: 'lastName' },
  },
  {
    name: 'Recently created',
    path: '/user-detail',
    query: { _columns: 'firstName lastName email created', sort: '-created' },
  },
]

const time = '2026-01-12T09:00:00.000Z'

export function* savedViewRows() {
  for (const [index, { name, path, query }] of views.entries())
    yield { id: index + 1, name, path, query: `${new URLSearchParams(query)}`, created: time, lastUpdated: time }
}

/** The sample's departments, and which of them a user belongs to. */
import { draw } from './random.ts'

/** The share is a percentage of the users; a retired department draws nobody. */
const departments: readonly { name: string; share: number }[] = [
  { name: 'Operations', share: 14 },
  { name: 'Engineering', share: 18 },
  { name: 'Sales', share: 14 },
  { name: 'Customer Support', share: 12 },
  { name: 'Finance & Accounting', share: 7 },
  { name: 'Human Resources', share: 5 },
  { name: 'Marketing', share: 6 },
  { name: 'Mainframe Operations', share: 0 },
  { name: 'Legal', share: 3 },
  { name: 'Research', share: 6 },
  { name: 'Purchasing', share: 4 },
  { name: 'Logistics', share: 6 },
  { name: 'Telex Room', share: 0 },
  { name: 'Quality Assurance', share: 3 },
  { name: 'Bureau de Genève', share: 2 },
]

/** The first three share a department; two are left behind in Mainframe Operations, and nobody in the Telex Room. */
const placed = new Map([
  [1, 1],
  [2, 1],
  [3, 1],
  [14, 8],
  [19, 8],
])

export function* departmentRows() {
  for (const [index, { name, share }] of departments.entries()) {
    yield { id: index + 1, name, retired: share === 0 }
  }
}

export function departmentOf(user: number): number {
  const already = placed.get(user)
  if (already !== undefined) return already
  const percent = draw('department', user).below(100)
  let upTo = 0
  const index = departments.findIndex(({ share }) => {
    upTo += share
    return percent < upTo
  })
  return index + 1
}

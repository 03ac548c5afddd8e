/** The departments of the sample, and the department of each user. */
import { draw } from './random.ts'

/** The share is a percentage of the users. A retired department gets no random users. */
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

/** Fixed departments by user: the first three users share one, and two are in Mainframe Operations, which is retired. */
const fixedDepartments = new Map([
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
  const fixed = fixedDepartments.get(user)
  if (fixed !== undefined) return fixed
  const percent = draw('department', user).below(100)
  let total = 0
  const index = departments.findIndex(({ share }) => {
    total += share
    return percent < total
  })
  return index + 1
}

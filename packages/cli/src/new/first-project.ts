/** The project without `--from`: one noun with common fields. */
import { identifierOf } from './identifier.ts'
import type { NounDraft, Project } from './project.ts'

export function firstProject(name: string, noun: string, database?: string): Project {
  const draft = firstNoun(noun)
  return {
    name,
    identifier: identifierOf(name, 'Api', [draft.identifier]),
    version: 1,
    nouns: [draft],
    ...(database !== undefined && { database }),
  }
}

function firstNoun(name: string): NounDraft {
  const words = name.replaceAll('-', ' ')
  return {
    name,
    identifier: identifierOf(name, 'Noun'),
    fields: [
      { name: 'id', declaration: 'identity()' },
      { name: 'name', declaration: 'text({ minLength: 1, maxLength: 120 })' },
      { name: 'description', declaration: "text().default('')" },
      { name: 'status', declaration: "choice('ACTIVE', 'RETIRED').default('ACTIVE')" },
      { name: 'created', declaration: 'createdAt()' },
      { name: 'lastUpdated', declaration: 'updatedAt()' },
    ],
    options: { label: 'name' },
    resource: { list: ['id', 'name', 'status'], search: ['name', 'description'] },
    records: [
      record(1, `First ${words}`, 'An example.', 'ACTIVE'),
      record(2, `Second ${words}`, '', 'ACTIVE'),
      record(3, `Old ${words}`, 'No longer in use.', 'RETIRED'),
    ],
  }
}

function record(id: number, name: string, description: string, status: string): object {
  const created = `2026-01-0${id}T09:00:00.000Z`
  return { id, name, description, status, created, lastUpdated: created }
}

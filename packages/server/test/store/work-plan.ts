/** The declarations of the store suites, and plans of their operations. */
import {
  type AnyApi,
  api,
  boolean,
  choice,
  createdAt,
  decimal,
  email,
  identity,
  integer,
  link,
  noun,
  type Operation,
  operations,
  reference,
  resource,
  text,
  updatedAt,
  type Value,
} from '@nomen/core'
import { modelOf } from '../../src/store/model.ts'
import type { Outcome } from '../../src/store/outcome.ts'
import type { ChangePlan, CreatePlan, ListPlan, Plan, Values } from '../../src/store/plan.ts'

const project = noun('project', { id: identity(), name: text() }, { label: 'name' })
const task = noun(
  'task',
  {
    id: identity(),
    project: reference(() => project).column('project_id'),
    title: text().column('Title, in "full"'),
    owner: email().unique().column("owner's.mail"),
    state: choice({ OPEN: ['DONE'], DONE: [] })
      .default('OPEN')
      .column('state_of'),
    urgent: boolean().default(false),
    effort: integer().nullable(),
    cost: decimal({ precision: 18, scale: 2 }).default('0.00'),
    parent: reference(() => task)
      .nullable()
      .clearedOnDelete()
      .column('parent_id'),
    created: createdAt(),
    changed: updatedAt().column('changed_at'),
  },
  { label: 'title', unique: [['project', 'title']], table: 'all.tasks' },
)
const note = noun('note', { id: identity(), task: reference(() => task), words: text() })
const label = noun('label', { id: identity().column('label_id'), project: reference(() => project), name: text() })
const taskLabel = link(task, label, { sharing: 'project', table: 'task_labels', columns: ['task_id', 'label_id'] })

const work: AnyApi = api('work', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(project),
    resource(task, {
      search: ['title'],
      by: ['owner'],
      detail: true,
      list: ['id', 'title'],
      children: [resource(note), resource(label, { via: taskLabel })],
    }),
    resource(label),
  ],
})
const table = operations(work)
export const model = modelOf(table)
export const now = '2026-11-15T03:29:00.000Z'

function operationOf(id: string): Operation {
  const operation = table.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`There is no operation ${id}: ${table.map((other) => other.id).join(', ')}`)
  return operation
}

export function newTask(title: string, more: Values = {}): Values {
  const usual = {
    owner: `${title.length}-${title.codePointAt(0)}@example.com`,
    state: 'OPEN',
    urgent: false,
    effort: null,
  }
  return { project: 1, title, ...usual, cost: '0.00', parent: null, created: now, changed: now, ...more }
}

export function createPlan(id: string, values: Values, ancestors: readonly Value[] = []): CreatePlan {
  return { kind: 'create', operation: operationOf(id), ancestors, values, now, check: undefined }
}

export function changePlan(id: string, key: Value, values: Values): ChangePlan {
  return {
    kind: 'change',
    operation: operationOf(id),
    ancestors: [],
    key,
    values,
    now,
    meetsPreconditions: undefined,
    check: undefined,
  }
}

export function deletePlan(id: string, key: Value): Plan {
  return { kind: 'delete', operation: operationOf(id), ancestors: [], key, now, meetsPreconditions: undefined }
}

export function readPlan(id: string, key: Value): Plan {
  return { kind: 'read', operation: operationOf(id), ancestors: [], key }
}

export function linkPlan(id: string, near: Value, far: Value): Plan {
  const operation = operationOf(id)
  const kind = operation.kind === 'link' ? 'link' : 'unlink'
  return {
    kind,
    operation,
    ancestors: [near],
    key: far,
    now,
    meetsPreconditions: undefined,
    mustBeLinked: false,
    check: undefined,
  }
}

export function listPlan(id: string, more: Partial<ListPlan>): ListPlan {
  const page = { pageNumber: 1, pageSize: 100 }
  return {
    kind: 'list',
    operation: operationOf(id),
    ancestors: [],
    conditions: [],
    include: [],
    order: [],
    page,
    ...more,
  }
}

export function recordOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.kind !== 'record') throw new Error(JSON.stringify(outcome))
  return JSON.parse(outcome.json)
}

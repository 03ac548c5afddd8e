/** Holds a tarball against what npm, Node and TypeScript expect of a package. */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Everything that publint and attw have to say of a tarball; nothing where it is right. */
export async function complaintsAbout(tarball: string): Promise<readonly string[]> {
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

/** The packages are modules: neither CommonJS without a bundler nor the resolution of Node 10 is promised. */
function concernsModules(problem: object): boolean {
  const kind = 'resolutionKind' in problem ? problem.resolutionKind : undefined
  return kind !== 'node10' && kind !== 'node16-cjs'
}

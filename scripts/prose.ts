/** The prose check: no wording that the language guide replaces, and no sentence that is too long. */
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { type Sentence, sentencesOfMarkdown } from './prose/markdown.ts'
import { longestSentence, patterns, whatClause } from './prose/patterns.ts'
import { sentencesOfTypeScript } from './prose/typescript.ts'

/** The files that are checked. */
const checked: readonly string[] = [
  ...['*.md', 'docs/**/*.md', 'packages/*/README.md', 'bench/README.md'],
  ...['packages/*/{src,test}/**/*.ts', 'testing/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'docs/guide/*.ts'],
  'apps/**/*.{ts,tsx}',
]

/** The test of the check, and a page of quoted findings. */
const exemptFiles: readonly string[] = ['scripts/prose.test.ts', 'docs/lint-public.md']

/** The findings of a file, each as `line: fault`. */
export function findings(file: string, text: string): readonly string[] {
  const sentences = file.endsWith('.md') ? sentencesOfMarkdown(text) : sentencesOfTypeScript(file, text)
  return sentences.flatMap((sentence) => faultsOf(sentence).map((fault) => `${sentence.line}: ${fault}`))
}

function faultsOf({ text }: Sentence): readonly string[] {
  const faults = patterns.flatMap(({ match, replacement }) => {
    const [wording] = match.exec(text) ?? []
    return wording === undefined ? [] : [`"${wording}". Write: ${replacement}.`]
  })
  const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length
  if (words > longestSentence)
    faults.push(`${words} words in one sentence, at most ${longestSentence}: "${text.slice(0, 60)}…".`)
  if (whatClause.test(text)) faults.push(`"${text.slice(0, 40)}…" begins with a what-clause. Begin with a noun.`)
  return faults
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const names =
    process.argv.length > 2
      ? process.argv.slice(2)
      : globSync(checked, { cwd: root, exclude: ['**/{node_modules,dist}/**'] })
  const files = names.filter((file) => !exemptFiles.some((pattern) => matchesGlob(file, pattern)))
  const allFindings = files.flatMap((file) =>
    findings(file, readFileSync(join(root, file), 'utf8')).map((finding) => `${file}:${finding}`),
  )
  for (const finding of allFindings) console.error(finding)
  if (allFindings.length > 0) console.error(`${allFindings.length} findings. CONTRIBUTING.md has the language guide.`)
  process.exitCode = allFindings.length > 0 ? 1 : 0
}

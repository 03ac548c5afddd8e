/** The entry point of @nomen/conventions: linter, conformance check and breaking-change detection. */
export { type Code as CheckCode, catalog as checks } from './check/catalog.ts'
export { junit as checkJunit } from './check/junit.ts'
export type { Outcome as CheckOutcome, Report as CheckReport, Result as CheckResult } from './check/result.ts'
export { CheckError, type CheckOptions, type CheckProgress, checkService } from './check/service.ts'

export type { Change } from './diff/change.ts'
export { type Code as ChangeCode, codes as changeCodes } from './diff/code.ts'
export { type Difference, type DiffOptions, type Documents, diff } from './diff/diff.ts'
export { diffMarkdown } from './diff/report/markdown.ts'
export { diffText, type Paint } from './diff/report/text.ts'
export type { RequiredVersion } from './diff/required-version.ts'
export type { Versioning, VersioningKind } from './diff/versioning.ts'
export {
  DocumentError,
  type Json,
  type JsonObject,
  type OpenApiDocument,
  readDocument,
  readDocumentText,
} from './document/read-document.ts'
export { type Exceptions, readExceptions } from './lint/exception-file.ts'
export { type Finding, type IgnoredFinding, type LintReport, mergedReport } from './lint/finding.ts'
export { type LintOptions, lintApis, lintDocument, lintDocumentText } from './lint/lint.ts'
export { githubReport } from './lint/report/github.ts'
export { type HumanOptions, humanReport } from './lint/report/human.ts'
export { jsonReport } from './lint/report/json.ts'
export { junitReport } from './lint/report/junit.ts'
export { sarifReport } from './lint/report/sarif.ts'
export type { Explanation } from './lint/rule/explanation/explanation.ts'
export type { Severity } from './lint/rule/rule.ts'
export { type RuleInfo, rules } from './lint/rule/rules.ts'

/** Singular words that both libraries treat as plural, found in public documents. */

const named = (all: string) => all.split(' ')

const listed = new Set([
  // Names and abbreviations that end in s.
  ...named('apns apos bgps caps chromeos cors cronos databricks fips gbps gecos gps hdfs https itunes jwks kbps'),
  ...named('kubernetes ldaps macos mbps mntops nodejs npdes postgres rdbms redis rootfs tezos vipps webhdfs windows'),
  // Sciences and similar words without a singular of the same meaning.
  ...named('acoustics aesthetics analytics athletics demographics diagnostics dynamics economics electronics ethics'),
  ...named('financials genetics genomics graphics heuristics informatics linguistics logistics mathematics mechanics'),
  ...named('optics physics politics robotics semantics statistics vitals'),
  // Words without a singular, or whose singular means something else.
  ...named(
    'arrears barracks belongings commons corps crossroads customs devops earnings essentials eyeglasses glasses',
  ),
  ...named(
    'goods headquarters iaas initials iops lens lyrics means news odds paas premises proceeds remains saas sales',
  ),
  ...named('savings series species stats sunglasses surroundings thanks trans whereabouts'),
  // Singulars that both libraries treat as plurals.
  ...named('abdomen cyclamen pancreas rhinoceros stamen'),
  // Verbs, such as the property "contains".
  ...named(
    'applies connects contains creates deletes equals excludes exists expires includes inherits receives refers',
  ),
  ...named('requires succeeds suggests'),
])

/** Endings of compounds without a hyphen: `timeseries`, `radiodns`. */
const endings = /(series|species|analytics|statistics|dns|sms|naics|storagelens|commons|arrears|qos)$/

export function isSingularWord(word: string): boolean {
  return listed.has(word) || endings.test(word)
}

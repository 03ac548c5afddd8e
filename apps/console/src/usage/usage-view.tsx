/** Who calls what, from the access logs of the service: a heat map, trends, verdicts, and what is to go. */
export default function UsageView() {
  return null
}

# awk -f failures.awk LOG: prints what failed in a log of `swift test`: each issue with its first lines, each failed test,
# and the summary. Where the process that ran the tests died, it prints the tests that were running in the summary's place.
# At most 70 lines.

# A line of the runner begins with one of its signs. The lines up to the next such line belong to it.
function begins(sign) { return index($0, sign) == 1 }

begins("✘ ") || begins("✔ ") || begins("◇ ") || begins("➜ ") || begins("error: ") { left = 0 }
begins("✘ Test run ") || begins("✔ Test run ") { summary = $0; next }
begins("✘ ") && !begins("✘ Suite ") || begins("error: ") || /Fatal error: |Program crashed: / { left = 8 }
left-- > 0 { issues[++issueCount] = $0 }

begins("◇ Test \"") && sub(/ started\.$/, "") {
  name = substr($0, length("◇ ") + 1)
  started[++startCount] = name
  running[name] = 1
}
(begins("✔ Test \"") || begins("✘ Test \"")) && match($0, /" (with [0-9]+ test cases? )?(passed|failed) after /) {
  delete running[substr($0, length("✔ ") + 1, RSTART - length("✔ "))]
}

END {
  first = issueCount > 50 ? issueCount - 49 : 1
  if (first > 1) { print first - 1 " lines left out" }
  for (i = first; i <= issueCount; i++) { print issues[i] }
  if (summary) {
    print summary
    exit
  }
  for (i = startCount; i >= 1 && shown < 15; i--) {
    if (started[i] in running) { print "✘ " started[i] " was running."; shown++ }
  }
  print "✘ The tests have no summary: the process that ran them ended before."
}

/**
 * A result as JUnit XML, in the form that Jenkins, GitLab and others read: a test suite for the run, a test case for each
 * property. What is open is skipped, with the reason.
 */
import type { PropertyResult } from '../../checker/result.ts'
import { outcomeOf, type Reported, sentenceOf } from './reported.ts'
import { messageOf, storyOf } from './story.ts'
import { type Element, xmlDocument } from './xml.ts'

export function junitReport(reported: Reported): string {
  const { properties, elapsedMs } = reported.result
  const count = (outcome: string) => properties.filter((each) => outcomeOf(each) === outcome).length
  const counts = { tests: properties.length, failures: count('broken'), errors: 0 }
  const time = (elapsedMs / 1000).toFixed(3)
  const suite: Element = {
    name: 'testsuite',
    attributes: { name: reported.title, ...counts, skipped: count('open'), time },
    content: [
      { name: 'properties', attributes: {}, content: runFacts(reported) },
      ...properties.map((property) => testCase(property, reported)),
    ],
  }
  return xmlDocument({
    name: 'testsuites',
    attributes: { name: 'fencepost', ...counts, time },
    content: [suite],
  })
}

function runFacts({ result, repeat, version }: Reported): Element[] {
  const { verdict, states, depth, config, defencesOff } = result
  const facts = {
    verdict,
    states: states.distinct,
    depth,
    configuration: JSON.stringify(config),
    'defences off': defencesOff.join(', '),
    repeat,
    version,
  }
  return Object.entries(facts).map(([name, value]) => ({ name: 'property', attributes: { name, value } }))
}

function testCase(property: PropertyResult, { result, repeat }: Reported): Element {
  const attributes = { name: property.name, classname: result.model }
  switch (outcomeOf(property)) {
    case 'broken': {
      const story = storyOf(property)
      const text = [...story, ...(story.length === 0 ? [] : ['']), `repeat: ${repeat}`].join('\n')
      const type = property.verdict === 'proved' ? 'vacuous' : property.verdict
      const failure = { name: 'failure', attributes: { message: messageOf(property), type }, content: text }
      return { name: 'testcase', attributes, content: [failure] }
    }
    case 'open': {
      const skipped = { name: 'skipped', attributes: { message: sentenceOf(property) } }
      return { name: 'testcase', attributes, content: [skipped] }
    }
    case 'holds': {
      const told = { name: 'system-out', attributes: {}, content: sentenceOf(property) }
      return { name: 'testcase', attributes, content: [told] }
    }
  }
}

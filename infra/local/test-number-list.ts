/** The simulated carrier's numbers of fixed behaviour (decisions 6), as they are shown to people. */
export const TEST_NUMBERS = [
  { number: '+12025550100', behaviour: 'a person answers, talks, says goodbye' },
  { number: '+12025550101', behaviour: 'busy' },
  { number: '+12025550102', behaviour: 'rings out' },
  { number: '+12025550103', behaviour: 'temporarily unavailable' },
  { number: '+12025550104', behaviour: 'number not attributed' },
  { number: '+12025550105', behaviour: 'voicemail' },
  { number: '+12025550106', behaviour: 'a phone menu of two levels, then a person' },
  { number: '+12025550107', behaviour: 'handset call screening, then a person' },
  { number: '+12025550108', behaviour: 'a person who asks to be called back later' },
  { number: '+12025550109', behaviour: 'a person who interrupts' },
  { number: '+12025550110', behaviour: 'a person who hangs up after two seconds' },
  { number: '+12025550111', behaviour: 'no answer at first, a person at the second attempt' },
  { number: '+12025550113', behaviour: 'a person who says nothing' },
  { number: '+12025550114', behaviour: 'voicemail, and the person calls back a minute later' },
  { number: '+12025550115', behaviour: 'a person who asks never to be called again' },
  { number: '+12025550117', behaviour: 'handset call screening that puts nobody through' },
] as const

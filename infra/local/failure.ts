/** Something that the person at the keyboard can mend; shown as one sentence, without a stack. */
export class StartFailure extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'StartFailure'
  }
}

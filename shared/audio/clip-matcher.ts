/** Compares one utterance, while it goes on, with all known clips at all likely begins of it. */

import { BANDS } from './band-envelope.ts'
import type { ClipTemplate } from './clip-templates.ts'
import { addRow } from './clip-templates.ts'

/** How well a clip fits what was heard so far. */
export interface ClipMatch {
  readonly template: ClipTemplate
  /** Row of the utterance at which the template's lead begins. */
  readonly start: number
  /** Correlation of loudness over time, band by band: 1 is the same, 0 has nothing to do with it. */
  readonly similarity: number
}

export class ClipMatcher {
  readonly #templates: readonly ClipTemplate[]
  readonly #starts: number
  /** Sum of products for each template and start. */
  readonly #products: Float64Array
  readonly #sums: Float64Array
  readonly #squares: Float64Array
  #rows = 0

  /** `starts`: a clip's lead begins in one of the first so many rows. */
  constructor(options: {
    readonly templates: readonly ClipTemplate[]
    readonly starts: number
    readonly maxRows: number
  }) {
    this.#templates = options.templates
    this.#starts = options.starts
    this.#products = new Float64Array(options.templates.length * options.starts)
    this.#sums = new Float64Array((options.maxRows + 1) * BANDS)
    this.#squares = new Float64Array(options.maxRows + 1)
  }

  get rows(): number {
    return this.#rows
  }

  /** Takes the loudness of the next 20 ms. */
  push(row: Float32Array): void {
    const index = this.#rows++
    addRow({ row, index, sums: this.#sums, squares: this.#squares })
    let hypothesis = 0
    for (const template of this.#templates) {
      for (let start = 0; start < this.#starts; start++, hypothesis++) {
        const at = index - start
        if (at < 0 || at >= template.frames) continue
        let product = 0
        for (let band = 0; band < BANDS; band++) {
          product += row[band]! * template.loudness[at * BANDS + band]!
        }
        this.#products[hypothesis] = this.#products[hypothesis]! + product
      }
    }
  }

  /** The best match of each clip, best first. */
  matches(): ClipMatch[] {
    const best = new Map<string, ClipMatch>()
    let hypothesis = 0
    for (const template of this.#templates) {
      for (let start = 0; start < this.#starts; start++, hypothesis++) {
        const similarity = this.#similarity(template, start, this.#products[hypothesis]!)
        const known = best.get(template.clip.text)
        if (known === undefined || similarity > known.similarity) {
          best.set(template.clip.text, { template, start, similarity })
        }
      }
    }
    return [...best.values()].sort((a, b) => b.similarity - a.similarity)
  }

  #similarity(template: ClipTemplate, start: number, product: number): number {
    const rows = this.#rows - start
    if (rows < 2) return 0
    const end = Math.min(rows, template.frames)
    let shared = product
    let heard = this.#squares[this.#rows]! - this.#squares[start]!
    let known = template.squares[end]!
    for (let band = 0; band < BANDS; band++) {
      const a = this.#sums[this.#rows * BANDS + band]! - this.#sums[start * BANDS + band]!
      const b = template.sums[end * BANDS + band]!
      shared -= (a * b) / rows
      heard -= (a * a) / rows
      known -= (b * b) / rows
    }
    return heard <= 0 || known <= 0 ? 0 : shared / Math.sqrt(heard * known)
  }
}

import { expect } from 'chai'
import { dashboard } from './prometheus-expressions.ts'

describe('the dashboard', () => {
  it('uses the selected data source, in panels that do not overlap', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).to.deep.equal(['datasource', 'merchant', 'mode'])
    for (const { title, targets } of dashboard.panels)
      for (const { datasource } of targets ?? []) expect(datasource.uid, title).to.equal('$' + '{datasource}')
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).to.equal(ids.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).to.equal(cells.length)
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).to.be.at.most(24)
  })
})

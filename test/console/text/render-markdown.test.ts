import { expect } from 'chai'
import { renderMarkdown } from '../../../src/console/text/render-markdown.ts'

describe('the Markdown of a note', () => {
  it('has lists, emphasis, code, tables, line breaks and links', () => {
    expect(renderMarkdown('- **a** `b`\n- c')).to.equal(
      '<ul>\n<li><strong>a</strong> <code>b</code></li>\n<li>c</li>\n</ul>\n',
    )
    expect(renderMarkdown('one\ntwo')).to.equal('<p>one<br>\ntwo</p>\n')
    expect(renderMarkdown('a | b\n--|--\n1 | 2')).to.include('<td>1</td>')
    expect(renderMarkdown('see https://erp.example/status?a=1&b=2')).to.equal(
      '<p>see <a href="https://erp.example/status?a=1&amp;b=2" rel="noopener noreferrer">https://erp.example/status?a=1&amp;b=2</a></p>\n',
    )
  })

  it('shows HTML, headings and images as written, and makes no link that runs code', () => {
    for (const text of [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '# big',
      'big\n===',
      '![x](https://elsewhere.example/x.png)',
      '[x](javascript:alert(1))',
      '[x](data:text/html,<script>alert(1)</script>)',
      '[x]: javascript:alert(1)\n\n[x]',
      '<javascript:alert(1)>',
    ])
      expect(renderMarkdown(text), text).to.not.match(/<(script|img|h\d)|href="(javascript|data)/)
  })
})

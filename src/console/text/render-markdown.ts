import markdownIt from 'markdown-it'

/**
 * CommonMark with tables. HTML is shown as text, and links may not run code (markdown-it). Headings and images are left as written: a note is
 * a part of a page, and nothing is loaded from elsewhere.
 */
const markdown = markdownIt({ html: false, linkify: true, breaks: true }).disable(['heading', 'lheading', 'image'])

markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', 'noopener noreferrer')
  return renderer.renderToken(tokens, index, options)
}

/** Renders the Markdown of an operator as HTML that is safe to show to others. */
export const renderMarkdown = (text: string): string => markdown.render(text)

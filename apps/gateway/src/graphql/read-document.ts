import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import { graphqlLimits } from './limits';

const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses a document whose brackets are not nested too deeply for the stack of the parser and of code that walks its
 * result.
 * @throws GraphQLError
 */
export function readDocument(text: string): DocumentNode {
  const source = new Source(text);
  const lexer = new Lexer(source);
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (opening.has(token.kind)) depth += 1;
    if (closing.has(token.kind)) depth -= 1;
    if (depth > graphqlLimits.brackets) {
      throw new GraphQLError(`Query nests more than ${graphqlLimits.brackets} brackets, which is the most`);
    }
  }
  return parse(source);
}

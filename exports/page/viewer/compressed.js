/* Compressed blocks of the page and of the SPARQL worker. */

/** Decode Base64 and inflate; return what reads as a text, as JSON or as bytes. @param {string} packed */
function inflated(packed) {
  const letters = atob(packed);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

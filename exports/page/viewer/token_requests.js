/* Requests of a page to its own server, with the token of the address. */

/**
 * Send a request and return the response. Throw an error with the message of the server, or with `unanswered` if there
 * is no server.
 * @param {string} path
 * @param {string} token
 * @param {string} unanswered
 * @param {string} method
 * @param {string} [body] JSON
 */
async function tokenRequest(path, token, unanswered, method, body) {
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, { method, headers, body }).catch(() => {
    throw new Error(unanswered);
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

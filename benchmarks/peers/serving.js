// How a server lives: it says its port in one line, and ends with whoever started it, at the latest after two minutes.

exports.serve = (http) => {
  console.log(JSON.stringify({ port: http.address().port }));
  process.stdin.resume().on("end", () => process.exit());
  setTimeout(() => process.exit(1), 120_000);
};

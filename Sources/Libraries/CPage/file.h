// One row of the table of files: the name in MR_FILE, and the bytes of that file.
{.name = MR_FILE,
 .count = sizeof(const unsigned char[]){
#embed MR_FILE
 },
 .bytes = (const unsigned char[]){
#embed MR_FILE
 }},
#undef MR_FILE
